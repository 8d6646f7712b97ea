import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @electron/fuses finds the switches behind these words; version 1, eight of them, as Electron's own are set. */
const fuses = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x0810010001`

/**
 * Electron's folder as it is unpacked from its download, for a packager where that can't be had. Its program is a plain
 * Node when it is asked to be one; it reads no archive, so what is asked of `app.asar` is looked up in
 * `app.asar.extracted`, where a test has put it.
 */
export function makeStandInElectron(folder: string): string {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'), { recursive: true })
  writeFileSync(join(folder, 'locales/en-US.pak'), '')
  for (const name of ['chrome-sandbox', 'chrome_crashpad_handler', 'libffmpeg.so', 'LICENSE', 'LICENSES.chromium.html'])
    writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'version'), '45.4.1')
  const program = join(folder, 'electron')
  writeFileSync(
    program,
    `#!/usr/bin/env bash
[ "$ELECTRON_RUN_AS_NODE" = 1 ] || { echo "a window would open"; exit 9; }
exec ${JSON.stringify(process.execPath)} "\${@/app.asar\\//app.asar.extracted/}"
# ${fuses}
`,
    'latin1',
  )
  chmodSync(program, 0o755)
  return folder
}

/** Stands where fpm would: keeps what it was asked to pack, and the files that exist only while it runs. */
export function makeStandInFpm(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'fpm')
  writeFileSync(
    program,
    `#!/usr/bin/env bash
printf '%s\\n' "$@" > ${JSON.stringify(join(folder, 'asked'))}
while [ $# -gt 0 ]; do
  case "$1" in
    --package) : > "$2"; shift ;;
    --after-install) cp "$2" ${JSON.stringify(join(folder, 'after-install'))}; shift ;;
    --before-remove) cp "$2" ${JSON.stringify(join(folder, 'before-remove'))}; shift ;;
    --after-remove) cp "$2" ${JSON.stringify(join(folder, 'after-remove'))}; shift ;;
    *.1.gz=*) cp "\${1%%=*}" ${JSON.stringify(join(folder, 'page.gz'))} ;;
    *.desktop=*) cp "\${1%%=*}" ${JSON.stringify(join(folder, 'desktop'))} ;;
  esac
  shift
done
`,
    { mode: 0o755 },
  )
  return program
}
