/// Declares a number with names. Numbers without a name stay what they are and are written back.
///
/// ```
/// use wire::wire_enum;
///
/// wire_enum! {
///     /// How a light shines.
///     pub struct LightKind: u8 {
///         /// In all directions.
///         POINT = 0 "point",
///         /// In one direction.
///         SUN = 1 "sun",
///     }
/// }
/// assert_eq!(LightKind::SUN.word(), Some("sun"));
/// assert_eq!(LightKind(9).word(), None);
/// ```
#[macro_export]
macro_rules! wire_enum {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident: $Int:ty {
            $($(#[doc = $vdoc:literal])* $VALUE:ident = $number:literal $word:literal,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $Name(pub $Int);

        impl $Name {
            $($(#[doc = $vdoc])* pub const $VALUE: $Name = $Name($number);)*

            /// Every value that has a name.
            pub const ALL: &'static [$Name] = &[$($Name($number),)*];

            /// The declaration, for the reference pages.
            pub const TABLE: &'static $crate::Table = &$crate::Table {
                name: stringify!($Name),
                doc: &[$($doc),*],
                rows: &[$($crate::Row {
                    field: $word, ty: stringify!($number), when: "", doc: &[$($vdoc),*], wire_only: false,
                },)*],
            };

            /// Its name, if it has one.
            pub fn word(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($word),)*
                    _ => None,
                }
            }
        }

        impl $crate::Fixed for $Name {
            type In<O: $crate::macros::ByteOrder + Send + Sync + 'static> = <$Int as $crate::Fixed>::In<O>;
            const SHAPE: &'static $crate::Shape = &$crate::Shape::Enum {
                name: stringify!($Name),
                of: <$Int as $crate::Fixed>::SHAPE,
                word: |raw| <$Int>::try_from(raw).ok().and_then(|raw| $Name(raw).word()),
            };
            const SIZE: usize = <$Int as $crate::Fixed>::SIZE;
            fn from_wire<O: $crate::macros::ByteOrder + Send + Sync + 'static>(wire: &Self::In<O>) -> Self {
                $Name(<$Int as $crate::Fixed>::from_wire::<O>(wire))
            }
            fn to_wire<O: $crate::macros::ByteOrder + Send + Sync + 'static>(self) -> Self::In<O> {
                <$Int as $crate::Fixed>::to_wire::<O>(self.0)
            }
        }
    };
}
