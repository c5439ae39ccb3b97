use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The position of a `T` in its [`Arena`]; it cannot be mixed up with the position of anything else.
pub struct Id<T> {
    index: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The id of the element at `index`.
    pub fn new(index: usize) -> Id<T> {
        Id { index: u32::try_from(index).unwrap_or(u32::MAX), kind: PhantomData }
    }
    /// The position.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> From<usize> for Id<T> {
    fn from(index: usize) -> Id<T> {
        Id::new(index)
    }
}
impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// All objects of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Arena<T> {
        Arena(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Adds an object.
    pub fn add(&mut self, item: T) -> Id<T> {
        self.0.push(item);
        Id::new(self.0.len() - 1)
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// One object, if there is such a one.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.0.get(id.index())
    }
    /// All ids.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Id<T>> + use<T> {
        (0..self.0.len()).map(Id::new)
    }
    /// All objects.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
    /// All objects, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
    /// All objects with their ids.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (Id<T>, &T)> {
        self.0.iter().enumerate().map(|(i, item)| (Id::new(i), item))
    }
    /// Removes all objects.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.index()]
    }
}
impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.0[id.index()]
    }
}
