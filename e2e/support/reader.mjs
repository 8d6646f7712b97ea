#!/usr/bin/env node
/**
 * A small program that stands for an agent in tests of typing: raw mode, bracketed paste, OSC 7501 reports, and a
 * composer drawn as Codex draws its own. Every byte it reads goes to a file, so that a test sees exactly what was
 * typed.
 *
 *   --out FILE            every byte read, appended; `FILE.pid` holds its pid once it reads, `FILE.drawn` of how many
 *                         of the bytes it has drawn what they led to
 *   --no-paste            bracketed paste stays off
 *   --no-status           no OSC 7501 reports
 *   --no-composer         draws no composer
 *   --swallow-enters N    the first N Enters do nothing
 *   --dialog-on text|enter   a dialog opens at the first text, or at the first Enter; Enter there appends to
 * `FILE.approved`
 *   --work-ms N           how long it works on a line (default 60)
 * SIGUSR2 opens the dialog, Esc closes it; Ctrl C quits; SIGWINCH draws anew.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

const flags = process.argv.slice(2)
const has = (name) => flags.includes(name)
const value = (name, fallback) => (has(name) ? flags[flags.indexOf(name) + 1] : fallback)
const out = value('--out', null)
const workMs = Number(value('--work-ms', '60'))
let swallow = Number(value('--swallow-enters', '0'))
let dialogOn = value('--dialog-on', null)

let text = ''
let pasting = false
let dialog = false
let pending = ''
let submitted = 0
let drawn = 0
const decoder = new StringDecoder('utf8')

const write = (data) => process.stdout.write(data)
const report = (state) => {
  if (!has('--no-status')) write(`\x1b]7501;state=${state}:app=reader\x1b\\`)
}
const controls = { paste: '\x1b[200~', pasteEnd: '\x1b[201~' }

function draw() {
  const cols = process.stdout.columns ?? 80
  const rows = process.stdout.rows ?? 24
  write('\x1b[?25l\x1b[H\x1b[2J')
  write(`reader: ${submitted} submitted\r\n`)
  if (has('--no-composer')) return write('\x1b[?25h')
  if (dialog) {
    write(
      `\x1b[${rows - 4};1H  Would you like to run the following command?\r\n\x1b[1m›\x1b[0m ` +
        '1. Yes, proceed (y)\r\n  2. No (esc)\r\n\r\n  Press enter to confirm or esc to cancel',
    )
    return
  }
  const lines = shown(cols - 3)
  const top = rows - lines.length - 2
  write(`\x1b[${top};1H\x1b[1m›\x1b[0m `)
  write(text === '' ? '\x1b[2mAsk reader to do anything\x1b[0m' : lines.join('\r\n  '))
  write(`\x1b[${rows};1H  reader default · ~/project`)
  const last = text === '' ? '' : lines[lines.length - 1]
  write(`\x1b[${top + lines.length - 1};${3 + last.length}H\x1b[?25h`)
}

function shown(width) {
  if (text.length > 1000) return [`[Pasted Content ${text.length} chars]`]
  return text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [''])
}

function openDialog() {
  dialog = true
  dialogOn = null
  report('blocked:kind=permission')
  draw()
}

function submit() {
  if (dialog) {
    if (out) appendFileSync(`${out}.approved`, 'approved\n')
    dialog = false
    report('idle')
    return draw()
  }
  if (dialogOn === 'enter') return openDialog()
  if (swallow > 0) {
    swallow--
    return
  }
  text = ''
  submitted++
  report('working')
  draw()
  setTimeout(() => {
    report('done')
    draw()
  }, workMs)
}

function add(char) {
  if (dialogOn === 'text') return openDialog()
  if (!dialog) text += char
}

/** Keys, pastes and the terminal's replies; a sequence may come in pieces. */
function take(data) {
  pending += data
  while (pending !== '') {
    if (pending[0] === '\x1b') {
      const used = sequence()
      if (used === 0) return
      pending = pending.slice(used)
      continue
    }
    const char = String.fromCodePoint(pending.codePointAt(0))
    pending = pending.slice(char.length)
    if (pasting) add(char === '\r' ? '\n' : char)
    else if (char === '\r') submit()
    else if (char === '\x03') quit(0)
    else if (char === '\x7f' || char === '\b') text = text.slice(0, -1)
    else if (char >= ' ') add(char)
  }
}

/** Length of the sequence at the start of `pending`; 0 while it is not complete. */
function sequence() {
  if (pending === '\x1b' && !pasting) {
    dialog = false
    report('idle')
    return 1
  }
  const match = /^\x1b(?:\[[0-9;?<>=]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|O.)/.exec(pending)
  if (!match) return pending.length > 64 ? 1 : 0
  if (match[0] === controls.paste) pasting = true
  if (match[0] === controls.pasteEnd) pasting = false
  return match[0].length
}

function quit(code) {
  report('clear')
  write('\x1b[?2004l\x1b[?25h\r\n')
  process.stdin.setRawMode?.(false)
  process.exit(code)
}

process.stdin.setRawMode?.(true)
process.stdin.on('data', (data) => {
  if (out) appendFileSync(out, data)
  take(decoder.write(data))
  draw()
  drawn += data.length
  if (out) writeFileSync(`${out}.drawn`, String(drawn))
})
process.stdin.on('end', () => process.exit(0))
process.stdout.on('resize', draw)
process.on('SIGUSR2', openDialog)
process.on('SIGTERM', () => quit(143))
if (!has('--no-paste')) write('\x1b[?2004h')
report('idle')
draw()
if (out) writeFileSync(`${out}.pid`, String(process.pid))
