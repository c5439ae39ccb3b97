//! `docs/schema/`: JSON Schemas of what `--json` and `--report` print.

use pentad::report::{Check, Conversion, Dump, Formats, Info};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::Files;
use crate::Result;

pub(super) fn schemas() -> Result<Files> {
    let schemas = [
        ("info", schema::<Info>()),
        ("check", schema::<Check>()),
        ("dump", schema::<Dump>()),
        ("convert", schema::<Conversion>()),
        ("formats", schema::<Formats>()),
    ];
    let mut files = Files::new();
    for (verb, schema) in schemas {
        files.insert(format!("docs/schema/{verb}.json"), serde_json::to_string_pretty(&schema)? + "\n");
    }
    Ok(files)
}

fn schema<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    // The field `schema` describes itself by its value: `pentad/info/1`.
    let field = &mut schema["properties"]["schema"];
    if let Some(id) = field["description"].as_str().and_then(|text| text.split('`').nth(1)).map(str::to_owned) {
        field["const"] = id.into();
    }
    schema
}
