//! What the tests of formats share: the way of a scene through a format, files in memory, the folder of real files.

mod coverage;
mod files;

pub use coverage::assert_covered;
pub use files::{EveryFile, Files, beside, corpus_dir, golden, sample};

use findings::{Losses, Result};
use formats::{AnyDocument, AnyFormat, Format, Info, LiftCx, LowerCx, NoSource, Package, ReadCx, SideFile};
use scene::Scene;
use wire::{Blob, Budget, Sink};

/// Says what was being looked at when a test panics: laws meet thousands of files.
pub struct Doing<F: Fn() -> String>(pub F);

impl<F: Fn() -> String> Drop for Doing<F> {
    #[allow(clippy::print_stderr)]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while looking at {}", (self.0)());
        }
    }
}

/// What a scene becomes, and what that costs.
pub struct Lowered<D> {
    /// The main file.
    pub doc: D,
    /// The files beside it.
    pub files: Vec<SideFile>,
    /// What was lost, from the first step on.
    pub losses: Losses,
}

/// A document of a file that can be read.
pub fn read<F: Format>(bytes: &[u8]) -> F::Document {
    F::read(Blob::file(bytes.to_vec()), &mut ReadCx::default())
        .unwrap_or_else(|error| panic!("cannot be read: {error}"))
}

/// The bytes of a document.
pub fn write<F: Format>(document: &F::Document) -> Vec<u8> {
    let mut sink = Sink::default();
    F::write(document, &mut sink).unwrap_or_else(|error| panic!("cannot be written: {error}"));
    sink.into_vec()
}

/// The same for a document of any format.
pub fn bytes(document: &dyn AnyDocument) -> Vec<u8> {
    let mut sink = Sink::default();
    document.write(&mut sink).unwrap_or_else(|error| panic!("cannot be written: {error}"));
    sink.into_vec()
}

/// A scene as a format can hold it, and what that costs.
pub fn fitted(scene: &Scene, format: &Info) -> (Scene, Losses) {
    let mut losses = Losses::default();
    let fitted = fit::fit(scene, &format.target(), &Budget::default(), &mut losses).expect("it is small");
    (fitted, losses)
}

/// What a scene becomes in a format: made to fit, and lowered.
///
/// # Errors
/// If it cannot be lowered.
pub fn lower_any(format: &dyn AnyFormat, scene: &Scene, mut cx: LowerCx<'_>) -> Result<Lowered<Box<dyn AnyDocument>>> {
    let mut scene = scene.clone();
    format.refer(&mut scene, &mut cx);
    let (fitted, losses) = fitted(&scene, format.info());
    cx.losses.extend(losses);
    let Package { document, side_files } = format.lower(&fitted, &mut cx)?;
    Ok(Lowered { doc: document, files: side_files, losses: cx.losses })
}

/// The same in a dialect of a format whose document is at hand.
pub fn lower<F: Format>(scene: &Scene, dialect: &'static str) -> Lowered<F::Document> {
    lower_in::<F>(scene, LowerCx::new(&NoSource, dialect))
}

/// The same in a context of its own.
pub fn lower_in<F: Format>(scene: &Scene, cx: LowerCx<'_>) -> Lowered<F::Document> {
    let lowered = lower_any(registered(F::INFO.id), scene, cx);
    let Lowered { doc, files, losses } = lowered.unwrap_or_else(|error| panic!("cannot be lowered: {error}"));
    let doc: &F::Document = doc.as_any().downcast_ref().expect("a document of this format");
    Lowered { doc: doc.clone(), files, losses }
}

/// The scene of a file that another one became, and what the way there cost.
pub fn through(scene: &Scene, format: &str, dialect: &'static str) -> (Scene, Losses) {
    let format = registered(format);
    let lowered = lower_any(format, scene, LowerCx::new(&NoSource, dialect));
    let Lowered { doc, files, losses } = lowered.unwrap_or_else(|error| panic!("cannot be lowered: {error}"));
    let again = format.read(Blob::file(bytes(&*doc)), &mut ReadCx::default());
    let again = again.unwrap_or_else(|error| panic!("cannot be read: {error}"));
    let scene = again.lift(&mut LiftCx::new(&Files::from(files)));
    (scene.unwrap_or_else(|error| panic!("cannot be lifted: {error}")), losses)
}

/// The same by way of a GLB.
pub fn through_glb(scene: &Scene) -> (Scene, Losses) {
    through(scene, "glb", "standard")
}

fn registered(format: &str) -> &'static dyn AnyFormat {
    formats::by_id(format).unwrap_or_else(|| panic!("this build has no {format}"))
}
