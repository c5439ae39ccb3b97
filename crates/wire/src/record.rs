/// Declares a structure of fixed size whose arrays are viewed in place.
///
/// The struct holds native values. Its twin on the wire, `<Name as Fixed>::In<BE>` or `In<LE>`, has the same fields as
/// unaligned big- or little-endian values: [`crate::Bulk::wire`] hands out slices of it.
///
/// ```
/// use wire::{record, Fixed, F32};
///
/// record! {
///     /// A corner of a triangle.
///     pub struct Corner {
///         /// Metres.
///         position: [F32; 3],
///         material: u16,
///     }
/// }
/// const _: () = assert!(Corner::SIZE == 14);
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $Name:ident { $($(#[doc = $fdoc:literal])* $field:ident: $T:ty,)* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $vis struct $Name { $($(#[doc = $fdoc])* pub $field: $T,)* }

        impl $Name {
            /// The declaration, for the reference pages.
            pub const TABLE: &'static $crate::Table = &$crate::Table {
                name: stringify!($Name),
                doc: &[$($doc),*],
                rows: &[$($crate::Row {
                    field: stringify!($field), ty: stringify!($T), when: "", doc: &[$($fdoc),*], wire_only: false,
                },)*],
            };
        }

        const _: () = {
            use $crate::macros::{ByteOrder, zerocopy};

            #[derive(
                Clone, Copy, zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout,
                zerocopy::Unaligned,
            )]
            #[zerocopy(crate = "zerocopy")]
            #[repr(C)]
            $vis struct Wire<O: ByteOrder + Send + Sync + 'static> { $(pub $field: <$T as $crate::Fixed>::In<O>,)* }

            impl $crate::Fixed for $Name {
                type In<O: ByteOrder + Send + Sync + 'static> = Wire<O>;
                const SHAPE: &'static $crate::Shape = &$crate::Shape::Record {
                    name: stringify!($Name),
                    size: 0 $(+ <$T as $crate::Fixed>::SIZE)*,
                    members: &[$($crate::Member {
                        name: stringify!($field), shape: <$T as $crate::Fixed>::SHAPE,
                    },)*],
                };
                const SIZE: usize = 0 $(+ <$T as $crate::Fixed>::SIZE)*;
                #[inline]
                fn from_wire<O: ByteOrder + Send + Sync + 'static>(wire: &Self::In<O>) -> Self {
                    $Name { $($field: <$T as $crate::Fixed>::from_wire::<O>(&wire.$field),)* }
                }
                #[inline]
                fn to_wire<O: ByteOrder + Send + Sync + 'static>(self) -> Self::In<O> {
                    Wire { $($field: <$T as $crate::Fixed>::to_wire::<O>(self.$field),)* }
                }
            }
        };
    };
}
