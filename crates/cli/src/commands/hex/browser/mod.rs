//! The document on a full screen: structure on the left, bytes on the right, one selection in both.
//!
//! `state` is what is looked at, `keys` what keys do to it, `search` what is found in it, `draw` how it looks.

mod draw;
mod keys;
mod search;
mod state;
#[cfg(test)]
mod tests;

use std::io;
use std::time::Duration;

use pentad::findings::{Error, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use super::Place;
use super::fields::Inside;
use super::marks::Marks;
use state::Browser;

pub(super) fn run(title: String, document: Inside, marks: Marks, place: Option<Place>, colors: bool) -> Result<()> {
    let mut browser = Browser::new(title, document, marks, colors);
    if let Some(place) = place {
        browser.go_to(place);
    }
    // try_init also restores the terminal should anything panic; whatever else happens, restore follows.
    let result = ratatui::try_init().and_then(|mut terminal| converse(&mut terminal, &mut browser));
    ratatui::restore();
    result.map_err(|error| Error::io("the terminal cannot be used", error).with_help("--plain prints instead"))
}

fn converse(terminal: &mut DefaultTerminal, browser: &mut Browser) -> io::Result<()> {
    while !browser.quit {
        terminal.draw(|frame| draw::draw(frame, browser))?;
        answer(browser, event::read()?);
        // A key that is held down arrives faster than a slow terminal draws.
        while !browser.quit && event::poll(Duration::ZERO)? {
            answer(browser, event::read()?);
        }
    }
    Ok(())
}

fn answer(browser: &mut Browser, event: Event) {
    if let Event::Key(key) = event
        && key.kind != KeyEventKind::Release
    {
        browser.key(key);
    }
}
