//! Rules about files as such, whatever their format.

use crate::{Page, RuleInfo, Severity, Stage};

/// Every rule with the prefix `FILE`.
pub static FILE_RULES: &[&RuleInfo] = &[&FILE_001, &FILE_002, &FILE_003, &FILE_004, &FILE_005, &FILE_006, &FILE_007];

/// No format recognises the content.
pub static FILE_001: RuleInfo = RuleInfo {
    id: "FILE-001",
    name: "not-recognised",
    stage: Stage::Wire,
    severity: Severity::Error,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " A file whose content belongs to no format of this build.",
        "",
        " ## Why it matters",
        " Formats are recognised by content; the extension only breaks ties. A damaged first field looks like this too.",
        "",
        " ## Example",
        " `check notes.txt`",
        "",
        " ## Fix",
        " Look at the first bytes with `pentad hex`, and at `pentad formats` for what can be read.",
    ]),
};

/// The file cannot be opened or read.
pub static FILE_002: RuleInfo = RuleInfo {
    id: "FILE-002",
    name: "cannot-open",
    stage: Stage::Wire,
    severity: Severity::Error,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " A path that does not exist, is no file, or may not be read.",
        "",
        " ## Why it matters",
        " Nothing can be said about it; the exit code is 2.",
        "",
        " ## Example",
        " `check missing.danmodel`",
        "",
        " ## Fix",
        " Check the spelling and the permissions of the path.",
    ]),
};

/// A limit stopped the reader.
pub static FILE_003: RuleInfo = RuleInfo {
    id: "FILE-003",
    name: "limit-reached",
    stage: Stage::Wire,
    severity: Severity::Error,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " A file of which more would be made than the limits allow: bytes, elements, inflated bodies, nesting.",
        "",
        " ## Why it matters",
        " A few hundred bytes can ask for gigabytes; the run stops before it makes them. The exit code is 2.",
        "",
        " ## Example",
        " Ten million instances whose places take no bytes in the file; a body that inflates beyond `--max-inflate`.",
        "",
        " ## Fix",
        " If you trust the file, allow more with the option that the message names: `--max-memory`, `--max-elements` or",
        " `--max-inflate`. Where it names none, the limit is fixed: divide the model.",
    ]),
};

/// The file is of a format that this build cannot read.
pub static FILE_004: RuleInfo = RuleInfo {
    id: "FILE-004",
    name: "not-readable-here",
    stage: Stage::Wire,
    severity: Severity::Error,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " A file of a format that this build recognises and can write, but not read.",
        "",
        " ## Why it matters",
        " The file may be perfectly right; nothing is said about it.",
        "",
        " ## Example",
        " `info` of a file whose row in `pentad formats` says `write` only.",
        "",
        " ## Fix",
        " `pentad formats` shows what each format can do in this build.",
    ]),
};

/// The extension belongs to another format than the content.
pub static FILE_005: RuleInfo = RuleInfo {
    id: "FILE-005",
    name: "extension-misleads",
    stage: Stage::Wire,
    severity: Severity::Warning,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " A file in a folder whose extension belongs to one format and whose content is of another.",
        "",
        " ## Why it matters",
        " Most programs believe the extension and refuse the file. It is checked by the rules of its content, and",
        " `check --fix` does not touch it.",
        "",
        " ## Example",
        " A GLB file that is called `tank.gltf`.",
        "",
        " ## Fix",
        " Give the file the extension of its content.",
    ]),
};

/// The extension is one that other kinds of files use too, and the file is of such a kind.
pub static FILE_006: RuleInfo = RuleInfo {
    id: "FILE-006",
    name: "foreign-kind",
    stage: Stage::Wire,
    severity: Severity::Info,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " A file in a folder that shares an extension with a format and is something else: `.mat` of Unity or MATLAB,",
        " `.obj` of a compiler, `.stl` with subtitles.",
        "",
        " ## Why it matters",
        " It is no model, so nothing is wrong with it, and nothing is checked.",
        "",
        " ## Example",
        " `main.obj`, which a C compiler wrote.",
        "",
        " ## Fix",
        " Nothing needs fixing. `check FILE` looks at it nevertheless.",
    ]),
};

/// The file is in another dialect than the one asked about.
pub static FILE_007: RuleInfo = RuleInfo {
    id: "FILE-007",
    name: "other-dialect",
    stage: Stage::Structure,
    severity: Severity::Warning,
    since: "0.1",
    page: Page(&[
        " ## What it finds",
        " `check --dialect D` of a file that is in another dialect than D. For `engine` the rules of the format answer",
        " instead, because a program may load more than one dialect.",
        "",
        " ## Why it matters",
        " A program that knows D only reads something else, or nothing. Without the option a dialect is no fault.",
        "",
        " ## Example",
        " `check --dialect spec` of a DanModel with a danmaku alpha, which is in the dialect `engine`.",
        "",
        " ## Fix",
        " `pentad convert IN OUT --dialect D` writes it in D, if that dialect can be written.",
    ]),
};
