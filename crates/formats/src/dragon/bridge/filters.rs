//! How textures are sampled: a TEXTURE has one filter, and the document does not say whether there are mip maps. Another
//! filter for reducing is a setting.

use scene::{Filter, Properties, Texture};

use super::settings::Said;

/// How an image is reduced, and between which mip levels; `None` leaves that to who shows it.
type Reduce = Option<(Filter, Option<Filter>)>;

/// The key of the setting.
const KEY: &str = "min_filter";

const WORDS: &[(&str, Reduce)] = &[
    ("unspecified", None),
    ("nearest", Some((Filter::Nearest, None))),
    ("linear", Some((Filter::Linear, None))),
    ("nearest_mipmap_nearest", Some((Filter::Nearest, Some(Filter::Nearest)))),
    ("linear_mipmap_nearest", Some((Filter::Linear, Some(Filter::Nearest)))),
    ("nearest_mipmap_linear", Some((Filter::Nearest, Some(Filter::Linear)))),
    ("linear_mipmap_linear", Some((Filter::Linear, Some(Filter::Linear)))),
];

/// What a filter says of reducing: pixels that are to be seen are not mixed, and nothing is said of mip maps otherwise.
fn plain(filter: Filter) -> Reduce {
    (filter != Filter::Linear).then_some((filter, None))
}

/// Takes how a texture is reduced out of what its settings say.
pub(super) fn lift(filter: Filter, said: &mut Said) -> Reduce {
    let said = WORDS.iter().find(|(word, _)| said.take_word(KEY, word));
    said.map_or_else(|| plain(filter), |(_, reduce)| *reduce)
}

/// The one filter of a texture, and the settings that say the rest; `None` if it cannot say them.
pub(super) fn lower(texture: &Texture) -> (Filter, Option<Properties>) {
    let filter = texture.magnify.unwrap_or(Filter::Linear);
    if texture.reduce == plain(filter) {
        return (filter, Some(Vec::new()));
    }
    let word = WORDS.iter().find(|(_, reduce)| *reduce == texture.reduce);
    (filter, word.map(|(word, _)| vec![(KEY.into(), (*word).into())]))
}
