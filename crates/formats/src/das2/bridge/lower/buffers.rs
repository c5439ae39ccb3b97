//! Buffers: attributes one behind the other, each once.

use std::collections::HashMap;

use findings::{Error, Result};
use wire::Blob;

use super::super::super::attributes::Slot;

/// What takes no room gets some, so that no two attributes begin at one place.
const LEAST: u64 = 4;

/// Attributes that become buffers: each is asked for its place once all are known.
#[derive(Default)]
pub(super) struct Attributes {
    items: Vec<(Blob, bool)>,
}

/// The buffers, and where each attribute is.
pub(super) struct Laid {
    pub(super) buffers: Vec<Blob>,
    pub(super) slots: Vec<Slot>,
}

impl Attributes {
    /// Adds an attribute and answers its number; `morph` for those of a morph target.
    pub(super) fn add(&mut self, data: Blob, morph: bool) -> usize {
        self.items.push((data, morph));
        self.items.len() - 1
    }

    /// Lays them out, in a single buffer if that is all there may be.
    pub(super) fn lay(&self, single: bool) -> Result<Laid> {
        let mut end = 0_u64;
        let mut known: HashMap<(usize, usize, bool), Slot> = HashMap::new();
        let mut buffers: Vec<Vec<u8>> = Vec::new();
        let mut slots = Vec::with_capacity(self.items.len());
        for (data, morph) in &self.items {
            let key = (data.as_ptr().addr(), data.len(), *morph);
            if let Some(slot) = known.get(&key).filter(|_| !data.is_empty()) {
                slots.push(*slot);
                continue;
            }
            if end + data.len() as u64 + LEAST > u32::MAX.into() {
                if single {
                    let message = "the engine dialect has one buffer of 4 GiB, and this takes more";
                    return Err(Error::usage(message).with_help("--dialect spec holds as many buffers as it takes"));
                }
                buffers.push(Vec::new());
                end = 0;
            }
            if buffers.is_empty() {
                buffers.push(Vec::new());
            }
            let at = end;
            end += (data.len() as u64).next_multiple_of(LEAST).max(LEAST);
            let buffer = buffers.len() - 1;
            buffers[buffer].extend_from_slice(data);
            buffers[buffer].resize(end as usize, 0);
            let slot = Slot { buffer: buffer as u32, offset: u32::try_from(at).unwrap_or(u32::MAX) };
            known.insert(key, slot);
            slots.push(slot);
        }
        if buffers.is_empty() && single {
            buffers.push(Vec::new());
        }
        Ok(Laid { buffers: buffers.into_iter().map(Blob::memory).collect(), slots })
    }
}
