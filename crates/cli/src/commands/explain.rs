use pentad::findings::render::terminal::Paint;
use pentad::findings::{Page, Result};
use pentad::formats;
use pentad::scene::loss::LOSSES;

use crate::Exit;
use crate::output::Output;
use crate::words::{Offer, explained, unknown};

/// Explain a rule or a loss
#[derive(clap::Args)]
#[command(after_help = "Examples:
  pentad explain DAN-013
  pentad explain mode-unknown
  pentad explain LOSS-020
  pentad explain --all")]
pub(crate) struct Args {
    /// Id or name of a rule or loss
    #[arg(value_name = "RULE", required_unless_present = "all", value_parser = Offer(explained), hide_possible_values = true)]
    rule: Option<String>,
    /// List all of them
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit> {
    if args.all {
        for rule in formats::rules() {
            out.line(format!(
                "{:<9} {:<8} {:<27} {}",
                rule.id,
                rule.severity.name(),
                rule.name,
                first_sentence(&rule.page)
            ));
        }
        for loss in LOSSES {
            out.line(format!("{:<9} {:<8} {:<27} {}", loss.code, "loss", loss.name, first_sentence(&loss.page)));
        }
    }
    let Some(name) = &args.rule else { return Ok(Exit::Done) };
    let rules = formats::rules_named(name);
    let losses = LOSSES.iter().filter(|loss| loss.code.eq_ignore_ascii_case(name) || loss.name == name);
    let mut pages = Vec::new();
    for rule in rules {
        let about = format!("severity {}, stage {}, since {}", rule.severity, rule.stage.name(), rule.since);
        pages.push((format!("{} {}", rule.id, rule.name), about, &rule.page));
    }
    for loss in losses {
        pages.push((format!("{} {}", loss.code, loss.name), "a loss of conversions".to_owned(), &loss.page));
    }
    if pages.is_empty() {
        let known = formats::rules().into_iter().flat_map(|rule| [rule.id, rule.name]);
        let known = known.chain(LOSSES.iter().flat_map(|loss| [loss.code, loss.name]));
        return Err(unknown(
            format!("there is no rule or loss {name}"),
            name,
            known,
            "pentad explain --all lists them",
        ));
    }
    for (i, (head, about, text)) in pages.into_iter().enumerate() {
        if i > 0 {
            out.line("");
        }
        page(&head, &about, text, out);
    }
    Ok(Exit::Done)
}

fn first_sentence(page: &Page) -> String {
    let heading = page.headings().next().unwrap_or_default();
    let text = page.section(heading);
    match text.find(". ") {
        Some(end) => text[..=end].to_owned(),
        None => text,
    }
}

fn page(head: &str, about: &str, page: &Page, out: &mut Output) {
    let paint: Paint = out.paint_out;
    out.line(paint.strong(head));
    out.line(paint.faint(about));
    for line in page.markdown().lines() {
        match line.strip_prefix("## ") {
            Some(heading) => {
                out.line("");
                out.line(paint.strong(heading));
            }
            None if line.trim().is_empty() => {}
            None => out.line(format!("  {line}")),
        }
    }
}
