//! Names and texts that are longer than the target has room for.

use findings::{Losses, Subject, SubjectKind};
use scene::loss::LOSS_042;
use scene::{Name, Named, Scene};

use super::Target;

/// How much of a name is said where it is too long to be written.
const QUOTED: usize = 40;

pub(super) fn fit(scene: &mut Scene, target: &Target, losses: &mut Losses) {
    let most = target.can.longest_text;
    let mut cut = |place: Subject, what: &str, text: &mut Name| {
        if text.bytes().len() > most {
            let short = text.start(most);
            let (size, left) = (text.bytes().len(), short.bytes().len());
            let what = format!("{what} \"{}…\" of {size} bytes, cut to {left}", text.start(QUOTED));
            losses.add(&LOSS_042, place, 1, what, format!("{} has room for {most} bytes", target.name));
            *text = short;
        }
    };
    let keeps = |named: Named| target.can.names.contains(&named);
    let mut each = |kept: bool, kind: SubjectKind, names: &mut dyn Iterator<Item = &mut Name>| {
        // The whole name is no help in finding its object.
        let label = |index| Subject::new(kind, index, "");
        names.filter(|_| kept).enumerate().for_each(|(index, name)| cut(label(index), "name", name));
    };
    each(keeps(Named::Objects), SubjectKind::Node, &mut scene.nodes.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Meshes), SubjectKind::Mesh, &mut scene.meshes.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Materials), SubjectKind::Material, &mut scene.materials.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Textures), SubjectKind::Texture, &mut scene.textures.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Images), SubjectKind::Image, &mut scene.images.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Skins), SubjectKind::Skin, &mut scene.skins.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Animations), SubjectKind::Animation, &mut scene.animations.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Lights), SubjectKind::Light, &mut scene.lights.iter_mut().map(|o| &mut o.name));
    each(keeps(Named::Cameras), SubjectKind::Camera, &mut scene.cameras.iter_mut().map(|o| &mut o.name));
    each(!target.can.scenes.is_lost(), SubjectKind::Scene, &mut scene.scenes.iter_mut().map(|o| &mut o.name));
    let metadata = &mut scene.metadata;
    let texts = [
        ("title", &mut metadata.title),
        ("description", &mut metadata.description),
        ("author", &mut metadata.author),
        ("copyright", &mut metadata.copyright),
        ("comment", &mut metadata.comment),
    ];
    texts.into_iter().for_each(|(what, text)| cut("file".into(), what, text));
}
