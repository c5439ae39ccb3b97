//! What is said about a file and its sections.

use wire::{Blob, CText, Fault, Order};

use crate::dragon::layout::fields::{BodyReader, Name, Part, body};
use crate::dragon::layout::out::BodyWriter;
use crate::dragon::variants::reading::Local;

body! {
    /// Keys with values, for the section that names this one.
    pub struct Settings: 4 {
        /// The pairs.
        pairs: Vec<Pair> = list as "-> Pair[count]",
    }
}

/// A key with a value.
#[derive(Clone, Debug, Default)]
pub struct Pair {
    /// What is set.
    pub key: CText,
    /// What the value is: a word without a list of words; see [`SettingType`].
    pub value_type: CText,
    value: Blob,
    order: Order,
}

body! { @table [" A key with a value."] Pair {
    [" What is set."] key "cstring",
    [" What the value is: `type` in the document."] value_type "cstring",
    [" Its bytes."] value_size "u32",
    [" The value."] value "-> u8[value_size]",
} }

impl Pair {
    /// A pair whose value has its numbers in `order`.
    pub fn new(key: CText, value_type: CText, value: Blob, order: Order) -> Pair {
        Pair { key, value_type, value, order }
    }

    /// The value, numbers in the order that is asked for.
    pub fn value_in(&self, order: Order) -> Blob {
        match self.setting_type() {
            Some(kind) if order != self.order && kind.fits(self.value.len()) && kind.component > 1 => {
                let mut bytes = self.value.to_vec();
                bytes.chunks_exact_mut(kind.component).for_each(<[u8]>::reverse);
                Blob::memory(bytes)
            }
            _ => self.value.clone(),
        }
    }

    /// The value as it is stored.
    pub fn value(&self) -> &Blob {
        &self.value
    }

    /// The type that its word stands for, if it stands for one.
    pub fn setting_type(&self) -> Option<&'static SettingType> {
        SettingType::of(&self.value_type)
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Pair) -> bool {
        let same = (&self.key, &self.value_type) == (&other.key, &other.value_type);
        same && self.value_in(other.order) == other.value
    }
}
impl Eq for Pair {}

impl Part for Pair {
    const NAME: &'static str = "Pair";
    const MIN: usize = 6;
    fn read(r: &mut BodyReader<'_, '_>) -> Result<Pair, Fault> {
        let key = r.text(Name("key", ""))?;
        let value_type = r.text(Name("value_type", ""))?;
        let size = r.size("value_size")?;
        let value = r.bytes_of(Name("value", "value_offset"), size, Local::INLVAL)?;
        Ok(Pair { key, value_type, value, order: r.r.order() })
    }
    fn write<'d>(&'d self, w: &mut BodyWriter<'_, '_, 'd>) -> Result<(), Fault> {
        w.text(Name("key", ""), &self.key)?;
        w.text(Name("value_type", ""), &self.value_type)?;
        w.size("value_size", self.value.len())?;
        w.block(Name("value", "value_offset"), self.value.is_empty(), |w| {
            let value = self.value_in(w.w.order());
            w.w.blob(&value);
            Ok(())
        });
        Ok(())
    }
}

/// What the value of a setting may be.
#[derive(Debug, PartialEq, Eq)]
pub struct SettingType {
    /// The word, in lower case.
    pub word: &'static str,
    /// Bytes of one number.
    pub component: usize,
    /// Numbers of one element.
    pub count: usize,
}

impl SettingType {
    /// Every type.
    pub const ALL: &'static [SettingType] = &[
        setting("string", 1, 1),
        setting("bool", 1, 1),
        setting("int8", 1, 1),
        setting("int16", 2, 1),
        setting("int32", 4, 1),
        setting("int64", 8, 1),
        setting("uint8", 1, 1),
        setting("uint16", 2, 1),
        setting("uint32", 4, 1),
        setting("uint64", 8, 1),
        setting("float16", 2, 1),
        setting("float32", 4, 1),
        setting("float64", 8, 1),
        setting("vec2", 4, 2),
        setting("vec3", 4, 3),
        setting("vec4", 4, 4),
        setting("mat3", 4, 9),
        setting("mat4", 4, 16),
        setting("guid", 1, 16),
        setting("bytes", 1, 1),
    ];

    /// Other names of the same.
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("int", "int32"),
        ("uint", "uint32"),
        ("float", "float32"),
        ("double", "float64"),
        ("str", "string"),
        ("cstring", "string"),
    ];

    /// The type that a word stands for, in any case.
    pub fn of(word: &CText) -> Option<&'static SettingType> {
        let word = word.as_str()?;
        let alias = SettingType::ALIASES.iter().find(|(alias, _)| word.eq_ignore_ascii_case(alias));
        let word = alias.map_or(word, |(_, word)| word);
        SettingType::ALL.iter().find(|kind| word.eq_ignore_ascii_case(kind.word))
    }

    /// Whether a value of so many bytes is one or several whole elements; texts and bytes may be empty.
    pub fn fits(&self, size: usize) -> bool {
        let element = self.component * self.count;
        size.is_multiple_of(element) && (size > 0 || matches!(self.word, "string" | "bytes"))
    }
}

const fn setting(word: &'static str, component: usize, count: usize) -> SettingType {
    SettingType { word, component, count }
}

body! {
    /// Another file of this format, whose sections this one may name.
    pub struct AssetRef: 1 {
        /// Its path, relative to this file: `ref` in the document.
        reference: CText = text as "cstring",
    }
}

body! {
    /// Who made the file, and when.
    pub struct Asset: 11 {
        /// What it belongs to.
        project: CText = text as "cstring",
        /// Who owns it.
        copyright: CText = text as "cstring",
        /// Who made it.
        creator: CText = text as "cstring",
        /// Seconds since 1970.
        time: u64 = fixed as "u64",
    }
}
