use crate::{Counted, Fault, Reader, Writer};

/// A structure of the wire: what [`crate::layout!`] declares, or what is written by hand where its grammar ends.
///
/// `A` is what the surrounding structure hands down: a count, a dialect, a kind.
pub trait Layout<A = ()>: Sized {
    /// The fewest bytes it can take; a count is checked against it before anything is read.
    const MIN_SIZE: usize;

    /// Its name in byte maps and reference pages.
    fn name() -> &'static str {
        let full = std::any::type_name::<Self>();
        let path = full.split('<').next().unwrap_or(full);
        path.rsplit("::").next().unwrap_or(path)
    }

    /// Reads it.
    ///
    /// # Errors
    /// If the bytes end too early, a count is negative, or a value leaves nothing to go on with.
    fn read(r: &mut Reader<'_>, args: A) -> Result<Self, Fault>;

    /// Writes it.
    ///
    /// # Errors
    /// If something is too long for the field that counts it.
    fn write(&self, w: &mut Writer<'_>, args: A) -> Result<(), Fault>;
}

/// Structures one after the other, each told the same: `lods: Vec<Mesh>{lod_count, dialect}`.
impl<T: Layout<A>, C: Counted, A: Clone> Layout<(C, A)> for Vec<T> {
    const MIN_SIZE: usize = 0;
    fn read(r: &mut Reader<'_>, (count, args): (C, A)) -> Result<Vec<T>, Fault> {
        r.many(count, args)
    }
    fn write(&self, w: &mut Writer<'_>, (count, args): (C, A)) -> Result<(), Fault> {
        w.many(self, count.count(), count.counted_by().unwrap_or("the count"), args)
    }
}

/// A structure as the reference pages print it.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its description, one line per entry.
    pub doc: &'static [&'static str],
    /// Its fields in the order of the wire.
    pub rows: &'static [Row],
}

/// One field of a [`Table`].
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub field: &'static str,
    /// Its type, with count or arguments.
    pub ty: &'static str,
    /// When it is there; empty for always.
    pub when: &'static str,
    /// Its description, one line per entry.
    pub doc: &'static [&'static str],
    /// Whether it exists on the wire only.
    pub wire_only: bool,
}

/// Declares a structure of variable size.
///
/// The whole grammar; every entry ends with a comma, and conditions, counts and arguments may name earlier fields:
///
/// ```text
/// field: T,                      one T
/// field: T{a, b},                one T, whose shape depends on a and b
/// field: T[count],               count of them, as a Vec
/// field: T where condition,      an Option, there only if the condition holds
/// field: T{a} where condition,   likewise with arguments
/// field: Vec<T>{count, a},       count of them, each told a
/// let name: T = expression,      on the wire only: read into a name for later fields, computed when writing
/// ```
///
/// `let` is for structure that the reader must trust anyway (a length). A number that may disagree with the content is
/// a field, so that a rule can see the lie and a rewrite keeps it.
#[macro_export]
macro_rules! layout {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $Name:ident $(($($arg:ident: $Arg:ty),* $(,)?))? { $($body:tt)* }
    ) => {
        $crate::layout! { @next
            head { [$($doc)*] [$($($derive)*)?] $vis $Name [$($($arg: $Arg),*)?] }
            vars {r w this} fields {} bind {} read {} write {} rows {} min {}
            rest { $($body)* }
        }
    };

    // let name: T = expression,
    (@next head $head:tt vars {$r:ident $w:ident $this:ident} fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest { $(#[doc = $doc:literal])* let $name:ident: $T:ty = $value:expr, $($rest:tt)* }
    ) => {
        $crate::layout! { @next head $head vars {$r $w $this} fields {$($fields)*} bind {$($bind)*}
            read {$($read)*
                let $name: $T = $r.field(stringify!($name), |$r| <$T as $crate::Layout>::read($r, ()))?;
                let $name = &$crate::Named::named($name, stringify!($name));
            }
            write {$($write)*
                let $name: $T = <$T as $crate::FromMemory<_>>::from_memory($value)
                    .map_err(|kind| $crate::Fault::new(kind, $w.here()).inside(stringify!($name)))?;
                $w.field(stringify!($name), |$w| <$T as $crate::Layout>::write(&$name, $w, ()))?;
                let $name = &$crate::Named::named($name, stringify!($name));
            }
            rows {$($rows)* $crate::Row {
                field: stringify!($name), ty: stringify!($T), when: "", doc: &[$($doc),*], wire_only: true,
            },}
            min {$($min)* + <$T as $crate::Layout>::MIN_SIZE}
            rest { $($rest)* }
        }
    };

    // field: T[count],
    (@next head $head:tt vars {$r:ident $w:ident $this:ident} fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest { $(#[doc = $doc:literal])* $name:ident: $T:ty [$count:expr], $($rest:tt)* }
    ) => {
        $crate::layout! { @next head $head vars {$r $w $this}
            fields {$($fields)* $(#[doc = $doc])* pub $name: Vec<$T>,}
            bind {$($bind)* $name,}
            read {$($read)*
                $this.$name = $r.field(stringify!($name), |$r| $r.many::<$T, ()>($count, ()))?;
                let $name = &$this.$name;
            }
            write {$($write)*
                $w.field(stringify!($name), |$w| {
                    $w.many::<$T, ()>($name, $crate::Counted::count(&$count), stringify!($count), ())
                })?;
            }
            rows {$($rows)* $crate::Row {
                field: stringify!($name), ty: concat!(stringify!($T), "[", stringify!($count), "]"), when: "",
                doc: &[$($doc),*], wire_only: false,
            },}
            min {$($min)*}
            rest { $($rest)* }
        }
    };

    // field: T{args} where condition,
    (@next head $head:tt vars {$r:ident $w:ident $this:ident} fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest { $(#[doc = $doc:literal])* $name:ident: $T:ty {$($arg:expr),*} where $when:expr, $($rest:tt)* }
    ) => {
        $crate::layout! { @next head $head vars {$r $w $this}
            fields {$($fields)* $(#[doc = $doc])* pub $name: Option<$T>,}
            bind {$($bind)* $name,}
            read {$($read)*
                if $when {
                    $this.$name = Some($r.field(stringify!($name), |$r| <$T as $crate::Layout<_>>::read($r, ($($arg.clone()),*)))?);
                }
                let $name = &$this.$name;
            }
            write {$($write)*
                $crate::layout!(@present $w $name $when);
                if let Some(value) = $name {
                    $w.field(stringify!($name), |$w| <$T as $crate::Layout<_>>::write(value, $w, ($($arg.clone()),*)))?;
                }
            }
            rows {$($rows)* $crate::Row {
                field: stringify!($name), ty: stringify!($T), when: stringify!($when), doc: &[$($doc),*], wire_only: false,
            },}
            min {$($min)*}
            rest { $($rest)* }
        }
    };

    // field: T{args},
    (@next head $head:tt vars {$r:ident $w:ident $this:ident} fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest { $(#[doc = $doc:literal])* $name:ident: $T:ty {$($arg:expr),*}, $($rest:tt)* }
    ) => {
        $crate::layout! { @next head $head vars {$r $w $this}
            fields {$($fields)* $(#[doc = $doc])* pub $name: $T,}
            bind {$($bind)* $name,}
            read {$($read)*
                $this.$name = $r.field(stringify!($name), |$r| <$T as $crate::Layout<_>>::read($r, ($($arg.clone()),*)))?;
                let $name = &$this.$name;
            }
            write {$($write)*
                $w.field(stringify!($name), |$w| <$T as $crate::Layout<_>>::write($name, $w, ($($arg.clone()),*)))?;
            }
            rows {$($rows)* $crate::Row {
                field: stringify!($name), ty: stringify!($T), when: "", doc: &[$($doc),*], wire_only: false,
            },}
            min {$($min)*}
            rest { $($rest)* }
        }
    };

    // field: T where condition,
    (@next head $head:tt vars {$r:ident $w:ident $this:ident} fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest { $(#[doc = $doc:literal])* $name:ident: $T:ty where $when:expr, $($rest:tt)* }
    ) => {
        $crate::layout! { @next head $head vars {$r $w $this}
            fields {$($fields)* $(#[doc = $doc])* pub $name: Option<$T>,}
            bind {$($bind)* $name,}
            read {$($read)*
                if $when {
                    $this.$name = Some($r.field(stringify!($name), |$r| <$T as $crate::Layout>::read($r, ()))?);
                }
                let $name = &$this.$name;
            }
            write {$($write)*
                $crate::layout!(@present $w $name $when);
                if let Some(value) = $name {
                    $w.field(stringify!($name), |$w| <$T as $crate::Layout>::write(value, $w, ()))?;
                }
            }
            rows {$($rows)* $crate::Row {
                field: stringify!($name), ty: stringify!($T), when: stringify!($when), doc: &[$($doc),*], wire_only: false,
            },}
            min {$($min)*}
            rest { $($rest)* }
        }
    };

    // field: T,
    (@next head $head:tt vars {$r:ident $w:ident $this:ident} fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest { $(#[doc = $doc:literal])* $name:ident: $T:ty, $($rest:tt)* }
    ) => {
        $crate::layout! { @next head $head vars {$r $w $this}
            fields {$($fields)* $(#[doc = $doc])* pub $name: $T,}
            bind {$($bind)* $name,}
            read {$($read)*
                $this.$name = $r.field(stringify!($name), |$r| <$T as $crate::Layout>::read($r, ()))?;
                let $name = &$this.$name;
            }
            write {$($write)*
                $w.field(stringify!($name), |$w| <$T as $crate::Layout>::write($name, $w, ()))?;
            }
            rows {$($rows)* $crate::Row {
                field: stringify!($name), ty: stringify!($T), when: "", doc: &[$($doc),*], wire_only: false,
            },}
            min {$($min)* + <$T as $crate::Layout>::MIN_SIZE}
            rest { $($rest)* }
        }
    };

    (@next
        head { [$($doc:literal)*] [$($derive:ident)*] $vis:vis $Name:ident [$($arg:ident: $Arg:ty),*] }
        vars {$r:ident $w:ident $this:ident}
        fields {$($fields:tt)*} bind {$($bind:tt)*} read {$($read:tt)*} write {$($write:tt)*}
        rows {$($rows:tt)*} min {$($min:tt)*}
        rest {}
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, $($derive),*)]
        $vis struct $Name { $($fields)* }

        impl $Name {
            /// The declaration, for the reference pages.
            pub const TABLE: &'static $crate::Table =
                &$crate::Table { name: stringify!($Name), doc: &[$($doc),*], rows: &[$($rows)*] };
        }

        #[allow(unused_variables, unused_parens, clippy::clone_on_copy, clippy::needless_borrow)]
        impl $crate::Layout<($($Arg),*)> for $Name {
            const MIN_SIZE: usize = 0 $($min)*;
            fn name() -> &'static str {
                stringify!($Name)
            }
            fn read($r: &mut $crate::Reader<'_>, ($($arg),*): ($($Arg),*)) -> Result<Self, $crate::Fault> {
                $r.note_type(stringify!($Name));
                let mut $this = Self::default();
                $($read)*
                Ok($this)
            }
            fn write(&self, $w: &mut $crate::Writer<'_>, ($($arg),*): ($($Arg),*)) -> Result<(), $crate::Fault> {
                let Self { $($bind)* } = self;
                $($write)*
                Ok(())
            }
        }
    };

    (@present $w:ident $name:ident $when:expr) => {
        if $name.is_some() != $when {
            let (expected, found) = if $when { ("a value", "none") } else { ("none", "a value") };
            return Err($crate::Fault::value($w.here(), expected, found).inside(stringify!($name)));
        }
    };
}
