//! Which layout a file is in: the cheapest way to read every section, over all file-wide bases.
//!
//! The canonical layout counts when it is valid; every other one only when each byte of the body is read exactly once
//! and says what it may say.

use wire::{Fault, Reader};

use crate::dragon::layout::Manner;
use crate::dragon::layout::body::{Body, Broken, Unknown};
use crate::dragon::layout::frame::{Form, Link, read_body};
use crate::dragon::layout::kind::{Kind, Spelling};
use crate::dragon::variants::reading::{Base, Local, Reading, alternatives};

/// What it costs to read a section canonically although bytes are left over or used twice.
const INEXACT: u64 = 20;
/// What it costs not to read a section at all.
const UNREADABLE: u64 = 50;

/// How a section is read.
pub(in crate::dragon) struct Choice {
    pub(in crate::dragon) body: Body,
    pub(in crate::dragon) manner: Manner,
    /// Why it cannot be read.
    pub(in crate::dragon) fault: Option<Fault>,
    cost: u64,
}

/// The cheapest way to read all sections, and the base it takes.
pub(in crate::dragon) fn choose(links: &[Link], form: &Form) -> (Base, Vec<Choice>) {
    let mut best: Option<(u64, Base, Vec<Choice>)> = None;
    for base in Base::ALL {
        let least = best.as_ref().map_or(u64::MAX, |(cost, ..)| *cost);
        if least <= base.cost() {
            break;
        }
        let form = Form { base, ..form.clone() };
        let mut cost = base.cost();
        let mut choices = Vec::with_capacity(links.len());
        for link in links {
            let choice = choose_one(link, &form);
            cost += choice.cost;
            choices.push(choice);
            if cost >= least {
                break;
            }
        }
        if cost < least {
            best = Some((cost, base, choices));
        }
    }
    best.map_or((Base::Field, Vec::new()), |(_, base, choices)| (base, choices))
}

fn choose_one(link: &Link, form: &Form) -> Choice {
    let head = form.head;
    let rest = || link.raw.slice(head..);
    let plain = |body: Body, spelling: Spelling| {
        let reading = Reading { base: Base::Field, ..Reading::default() };
        let manner = Manner { reading, spelling, ..Manner::default() };
        Choice { body, manner, fault: None, cost: 0 }
    };
    let unknown = || Body::Unknown(Unknown { tag: link.head.magic, bytes: rest() });
    let (kind, spelling) = match Kind::of(link.head.magic) {
        None => return plain(unknown(), Spelling::Plain),
        Some((Kind::Dragon, _)) => return plain(unknown(), Spelling::Plain),
        Some((Kind::Null, spelling)) => {
            let mut choice = plain(Body::Null(rest()), spelling);
            choice.manner.unread = rest().len() as u64;
            return choice;
        }
        Some(known) => known,
    };
    let own = form.reading();
    let first = attempt(link, kind, own, form);
    let mut canonical = None;
    let mut fault = None;
    match first {
        Ok(attempt) => {
            let is_canonical = own.base == Base::Field || !attempt.base_matters;
            if attempt.exact && (is_canonical || attempt.plausible) {
                return attempt.chosen(own, spelling, 0);
            }
            canonical = is_canonical.then_some(attempt);
        }
        Err(error) => fault = Some(error),
    }
    for &local in alternatives(kind, own.of_2019) {
        let reading = Reading { local, ..own };
        if own.base == Base::Inline && local.has(Local::SEQ) {
            continue;
        }
        if let Ok(attempt) = attempt(link, kind, reading, form)
            && attempt.exact
            && attempt.plausible
        {
            return attempt.chosen(reading, spelling, local.cost());
        }
    }
    if let Some(attempt) = canonical {
        return attempt.chosen(own, spelling, INEXACT);
    }
    // What is told is what is wrong with the section as the document has it.
    let as_written = Reading { base: Base::Field, ..own };
    let fault = attempt(link, kind, as_written, form).err().or(fault);
    let broken = Body::Broken(Broken { kind, bytes: rest() });
    let manner = Manner { spelling, ..Manner::default() };
    Choice { body: broken, manner, fault, cost: UNREADABLE }
}

struct Attempt {
    body: Body,
    manner: Manner,
    exact: bool,
    plausible: bool,
    base_matters: bool,
}

impl Attempt {
    fn chosen(self, reading: Reading, spelling: Spelling, cost: u64) -> Choice {
        let base = if self.base_matters { reading.base } else { Base::Field };
        let manner = Manner { reading: Reading { base, ..reading }, spelling, ..self.manner };
        Choice { body: self.body, manner, fault: None, cost }
    }
}

fn attempt(link: &Link, kind: Kind, reading: Reading, form: &Form) -> Result<Attempt, Fault> {
    let mut r = Reader::new(&link.raw, form.order);
    r.seek(form.head)?;
    let (body, pass) = read_body(&mut r, kind, reading, link.head.count, form.head, link.raw.span().offset)?;
    let (plausible, base_matters) = (pass.plausible, pass.base_matters);
    let first_rotation_differs = pass.first_rotation_differs;
    let (unread, twice) = pass.coverage(link.raw.len());
    let manner = Manner { unread, twice, first_rotation_differs, ..Manner::default() };
    Ok(Attempt { body, manner, exact: unread == 0 && !twice, plausible, base_matters })
}
