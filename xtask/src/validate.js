// Validates glTF files. usage: node validate.js VALIDATOR < paths, one per line
// Prints one line per error: path, code, pointer, message. Exits 0 if there are none.
const fs = require('fs');
const path = require('path');
const validator = require(process.argv[2]);
const SHOWN = 3;

async function validate(file) {
  const beside = (uri) => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))).then((b) => new Uint8Array(b));
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { uri: file, externalResourceFunction: beside });
  return report.issues.messages.filter((message) => message.severity === 0);
}

async function main() {
  const files = fs.readFileSync(0, 'utf8').split('\n').filter((line) => line);
  let bad = 0;
  for (const file of files) {
    const errors = await validate(file).catch((error) => [{ code: 'UNREADABLE', pointer: '', message: String(error) }]);
    bad += errors.length > 0;
    for (const e of errors.slice(0, SHOWN)) console.log(`${file}: ${e.code} ${e.pointer ?? ''} ${e.message}`);
    if (errors.length > SHOWN) console.log(`${file}: and ${errors.length - SHOWN} more`);
  }
  process.exitCode = bad ? 1 : 0;
}

main();
