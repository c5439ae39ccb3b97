use zerocopy::{BE, FromBytes, LE};

use crate::{
    Blob, Budget, Counted, Exceeded, Fault, FaultKind, Fixed, Layout, Limit, Limits, Node, Order, Shape, Span, Value,
};

/// A cursor over bytes. It knows the byte order, checks every step against what is left, and records a byte map when
/// asked to; nothing is paid for the map otherwise.
pub struct Reader<'m> {
    bytes: Blob,
    position: usize,
    order: Order,
    depth: u32,
    limits: Limits,
    /// What is charged for structures; nothing where a part of a file is read again.
    budget: Option<Budget>,
    recorder: Option<&'m mut Recorder>,
}

/// The fields being recorded, outermost first.
#[derive(Default)]
struct Recorder {
    open: Vec<(Node, Vec<Node>)>,
    done: Vec<Node>,
    /// Whether what cannot be read to its end is recorded up to there.
    partial: bool,
}

impl Recorder {
    fn close(&mut self, size: u64, whole: bool) {
        let Some((mut node, children)) = self.open.pop() else { return };
        if !whole && size == 0 && children.is_empty() {
            return;
        }
        node.span.size = size;
        node.set_children(children);
        match self.open.last_mut() {
            Some((_, siblings)) => siblings.push(node),
            None => self.done.push(node),
        }
    }
}

impl<'m> Reader<'m> {
    /// A cursor at the first byte.
    pub fn new(bytes: &Blob, order: Order) -> Reader<'static> {
        Reader {
            bytes: bytes.clone(),
            position: 0,
            order,
            depth: 0,
            limits: Limits::default(),
            budget: None,
            recorder: None,
        }
    }

    /// The same cursor, within what a run may make.
    pub fn within(self, budget: &Budget) -> Reader<'m> {
        Reader { limits: **budget, budget: Some(budget.clone()), ..self }
    }

    /// So many structures of a type are about to be made.
    ///
    /// # Errors
    /// If the run may not make so much.
    pub fn charge<T>(&self, count: usize) -> Result<(), Fault> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        let charged = self.budget.as_ref().map_or(Ok(()), |budget| budget.charge(bytes));
        charged.map_err(|exceeded| Fault::new(FaultKind::Exceeded(exceeded), self.here(0)))
    }

    /// The byte order of every number.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Changes the byte order from here on.
    pub fn set_order(&mut self, order: Order) {
        self.order = order;
    }

    /// Bytes read so far.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Moves to another byte of the same bytes, for structures that name places.
    ///
    /// # Errors
    /// If it lies behind the last byte.
    pub fn seek(&mut self, position: usize) -> Result<(), Fault> {
        if position > self.bytes.len() {
            let at = self.here(0);
            return Err(Fault::value(at, format!("a place within {} bytes", self.bytes.len()), position.to_string()));
        }
        self.position = position;
        Ok(())
    }

    /// Reads a block that lies at `position` of the same bytes and comes back.
    ///
    /// # Errors
    /// If it lies behind the last byte, and what `read` answers.
    pub fn elsewhere<T>(
        &mut self,
        position: usize,
        read: impl FnOnce(&mut Reader<'m>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let back = self.position;
        self.seek(position)?;
        let result = read(self);
        self.position = back;
        result
    }

    /// Takes the next `size` bytes for all there are, if there are more.
    pub fn end_after(&mut self, size: usize) {
        if size < self.remaining() {
            self.bytes = self.bytes.slice(..self.position + size);
        }
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The bytes not read yet.
    pub fn rest(&self) -> Blob {
        self.bytes.slice(self.position..)
    }

    /// The bytes read since `start`.
    pub fn since(&self, start: usize) -> Blob {
        self.bytes.slice(start.min(self.position)..self.position)
    }

    /// Where the next `size` bytes are.
    pub fn here(&self, size: usize) -> Span {
        let all = self.bytes.span();
        Span { offset: all.offset + self.position as u64, size: size as u64, ..all }
    }

    /// The next `size` bytes, shared.
    ///
    /// # Errors
    /// If fewer are left.
    #[inline]
    pub fn take(&mut self, size: usize) -> Result<Blob, Fault> {
        if size > self.remaining() {
            return Err(self.short(size as u64));
        }
        let start = self.position;
        self.position += size;
        Ok(self.bytes.slice(start..self.position))
    }

    /// The next `count` elements of `size` bytes.
    ///
    /// # Errors
    /// If fewer are left; a count that no address space could hold is one of those.
    pub fn take_many(&mut self, count: impl Counted, size: usize) -> Result<Blob, Fault> {
        let bytes = count.count().saturating_mul(size);
        self.take(bytes).map_err(|fault| match count.counted_by() {
            Some(field) => fault.counted(field, count.count() as u64),
            None => fault,
        })
    }

    #[cold]
    fn short(&self, need: u64) -> Fault {
        let have = self.remaining();
        Fault::new(FaultKind::Truncated { need, have: have as u64, counted: None }, self.here(have))
    }

    /// The next value of fixed size.
    ///
    /// # Errors
    /// If its bytes are not there.
    #[inline]
    pub fn fixed<T: Fixed>(&mut self) -> Result<T, Fault> {
        let end = self.position + T::SIZE;
        let Some(bytes) = self.bytes.as_ref().get(self.position..end) else { return Err(self.short(T::SIZE as u64)) };
        let value = match self.order {
            Order::Little => T::In::<LE>::read_from_bytes(bytes).map(|w| T::from_wire::<LE>(&w)).ok(),
            Order::Big => T::In::<BE>::read_from_bytes(bytes).map(|w| T::from_wire::<BE>(&w)).ok(),
        };
        let Some(value) = value else { return Err(self.short(T::SIZE as u64)) };
        if self.recorder.is_some() {
            let bytes = self.bytes.slice(self.position..end);
            let node = Node::shaped("", &bytes, T::SHAPE, self.order);
            self.adopt(node);
        }
        self.position = end;
        Ok(value)
    }

    /// Reads the field `name` with `read`; its name goes into the path of any fault and into the byte map.
    ///
    /// # Errors
    /// What `read` answers.
    #[inline]
    pub fn field<T>(&mut self, name: &str, read: impl FnOnce(&mut Reader<'m>) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.recorder.is_none() {
            return read(self).map_err(|fault| fault.inside(name));
        }
        let start = self.position;
        let at = self.here(0);
        if let Some(recorder) = &mut self.recorder {
            recorder.open.push((Node::leaf(name, "", at), Vec::new()));
        }
        let result = read(self);
        let size = self.position.saturating_sub(start) as u64;
        if let Some(recorder) = &mut self.recorder {
            recorder.close(size, result.is_ok());
        }
        result.map_err(|fault| fault.inside(name))
    }

    /// Reads `count` structures. Room for them is taken as they arrive.
    ///
    /// # Errors
    /// If one of them cannot be read, or if so many cannot fit into the bytes that are left.
    pub fn many<T: Layout<A>, A: Clone>(&mut self, count: impl Counted, args: A) -> Result<Vec<T>, Fault> {
        self.each(T::name(), count, T::MIN_SIZE, |r| T::read(r, args.clone()))
    }

    /// Reads `count` structures called `name` by hand, none of them shorter than `min_size`.
    ///
    /// # Errors
    /// As [`Reader::many`].
    pub fn each<T>(
        &mut self,
        name: &str,
        count: impl Counted,
        min_size: usize,
        read: impl FnMut(&mut Reader<'m>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let counted_by = count.counted_by().unwrap_or("the count");
        let count = count.count();
        let need = (count as u64).saturating_mul(min_size as u64);
        if need > self.remaining() as u64 && !self.is_partial() {
            return Err(self.short(need).counted(counted_by, count as u64));
        }
        if min_size == 0 && count as u64 > self.limits.max_elements {
            let (most, wanted) = (self.limits.max_elements, count as u64);
            let exceeded = Exceeded { limit: Limit::Elements, most, wanted };
            return Err(Fault::new(FaultKind::Exceeded(exceeded), self.here(0)));
        }
        if self.depth == self.limits.max_depth {
            let what = format!("structures nested deeper than {}", self.limits.max_depth);
            return Err(Fault::new(FaultKind::Limit(what), self.here(0)));
        }
        if self.recorder.is_some() {
            self.note_type(&format!("{name}[{count}]"));
        }
        self.depth += 1;
        let items = self.items(count, min_size, read).map_err(|fault| match fault.path() {
            "" => fault.counted(counted_by, count as u64),
            _ => fault,
        });
        self.depth -= 1;
        items
    }

    fn items<T>(
        &mut self,
        count: usize,
        min_size: usize,
        mut read: impl FnMut(&mut Reader<'m>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        // Structures may be far larger in memory than on the wire: a lying count must not reserve room for them.
        let mut items = Vec::with_capacity(count.min(1024));
        for index in 0..count {
            if index == items.capacity() {
                self.charge::<T>(index)?;
            }
            if min_size > 0 && self.remaining() == 0 {
                // Not an element that is cut short: there are fewer.
                return Err(self.short((count - index) as u64 * min_size as u64));
            }
            let item = if self.recorder.is_some() {
                self.field(&format!("[{index}]"), &mut read)?
            } else {
                read(self).map_err(|fault| fault.nth(index))?
            };
            items.push(item);
        }
        Ok(items)
    }

    /// Whether someone records.
    #[inline]
    pub fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// Whether someone records what can be read of something that is not whole: lists are then read until they break,
    /// although their count says at once that they must.
    fn is_partial(&self) -> bool {
        self.recorder.as_ref().is_some_and(|recorder| recorder.partial)
    }

    /// Reads a unit. Who records learns what is inside when looking, or at once if it cannot be read to its end.
    pub(crate) fn unit<T, A>(&mut self, args: A) -> Result<T, Fault>
    where
        T: Layout<A>,
        A: Clone + Send + Sync + 'static,
    {
        let start = self.position;
        let recorder = self.recorder.take();
        let read = T::read(self, args.clone());
        self.recorder = recorder;
        if self.recorder.is_none() {
            return read;
        }
        if read.is_err() {
            self.position = start;
            return T::read(self, args);
        }
        let (raw, order) = (self.since(start), self.order);
        let expand = move || Unit::map::<T, A>(&raw, order, args.clone());
        self.adopt(Node::lazy("", T::name(), Span::default(), expand));
        read
    }

    /// Says what the field being read is and means, if someone records.
    #[inline]
    pub fn note(&mut self, ty: &str, value: impl FnOnce() -> Value) {
        if self.recorder.is_some() {
            let node = Node::leaf("", ty, Span::default()).with_value(value());
            self.adopt(node);
        }
    }

    /// Says that the field being read is an array, if someone records.
    pub fn note_array(&mut self, bytes: &Blob, shape: &'static Shape, count: usize) {
        if self.recorder.is_some() {
            let node = Node::array("", bytes, shape, self.order, count);
            self.adopt(node);
        }
    }

    /// Says the type of the structure being read, if someone records.
    #[inline]
    pub fn note_type(&mut self, ty: &str) {
        if let Some((node, _)) = self.recorder.as_mut().and_then(|r| r.open.last_mut()) {
            node.ty = ty.to_owned();
        }
    }

    fn adopt(&mut self, other: Node) {
        if let Some((node, _)) = self.recorder.as_mut().and_then(|r| r.open.last_mut()) {
            node.adopt(other);
        }
    }
}

/// The walk over one unit's bytes that yields its part of the byte map.
pub enum Unit {}

impl Unit {
    /// The fields of the structure `T` that `bytes` hold.
    ///
    /// # Errors
    /// If they hold none.
    pub fn map<T: Layout<A>, A>(bytes: &Blob, order: Order, args: A) -> Result<Vec<Node>, Fault> {
        Unit::record(bytes, order, |r| T::read(r, args).map(drop))
    }

    /// The fields that `read` names, for structures read by hand.
    ///
    /// # Errors
    /// What `read` answers.
    pub fn record(
        bytes: &Blob,
        order: Order,
        read: impl FnOnce(&mut Reader<'_>) -> Result<(), Fault>,
    ) -> Result<Vec<Node>, Fault> {
        let (mut nodes, result) = Unit::walk(bytes, order, Recorder::default(), read);
        result?;
        crate::tree::settle(&mut nodes, bytes, "unused");
        Ok(nodes)
    }

    /// The fields that `read` names before it stops. Bytes of no field are left over.
    pub fn partial<T, E>(bytes: &Blob, order: Order, read: impl FnOnce(&mut Reader<'_>) -> Result<T, E>) -> Vec<Node> {
        Unit::walk(bytes, order, Recorder { partial: true, ..Recorder::default() }, read).0
    }

    fn walk<T>(
        bytes: &Blob,
        order: Order,
        mut recorder: Recorder,
        read: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> (Vec<Node>, T) {
        let mut reader = Reader { recorder: Some(&mut recorder), ..Reader::new(bytes, order) };
        let result = read(&mut reader);
        (recorder.done, result)
    }
}
