/**
 * The example of docs/servertools.md, type-checked as it would stand in the repository, and its own test run. Nothing
 * is written to disk.
 */
import { readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import * as vitest from 'vitest'

const root = resolve(import.meta.dirname, '../../..').replaceAll('\\', '/')
const document = readFileSync(`${root}/docs/servertools.md`, 'utf8')
/** path in the repository -> what the document says stands there */
const files = new Map(
  [...document.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, path = '', code = '']): [string, string] => [
    path,
    code,
  ]),
)
const paths = [...files.keys()]
const inRepository = (path: string): string => posix.join(root, path)

describe('the example of the documentation', () => {
  it('is a tool and its test, in a folder that there is not', () => {
    expect(paths).toEqual(
      ['', '.test'].map((kind) => `electron/engine/servertools/time-since-last-turn/time-since-last-turn${kind}.ts`),
    )
    expect(paths.filter((path) => ts.sys.fileExists(inRepository(path)))).toEqual([])
    expect(document).toContain('`assembly/servertools.ts` (`toolsOf`)')
    expect(ts.sys.readFile(inRepository('electron/engine/assembly/servertools.ts'))).toContain('function toolsOf(')
  })

  it('fits the contract, and would not if it were wrong', () => {
    const wrong = (files.get(paths[0] ?? '') ?? '').replaceAll("kind: 'result'", "kind: 'results'")
    const said = complaints(new Map([...files, ['electron/engine/servertools/time-since-last-turn/wrong.ts', wrong]]))
    expect(said.slice(0, 2)).toEqual([[], []])
    expect(said[2]?.join('\n')).toContain('"results"')
  }, 120_000)
})

await runTests()

/** Returns the compiler's errors, with the repository's settings, for each of these files next to the existing ones. */
function complaints(texts: ReadonlyMap<string, string>): string[][] {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [], files: [] }, ts.sys, root)
  const given = new Map([...texts].map(([path, code]) => [inRepository(path), code]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile, directoryExists } = host
  const folders = new Set([...given.keys()].map((path) => posix.dirname(path)))
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.(path) ?? true)
  host.fileExists = (path) => given.has(path) || fileExists(path)
  host.readFile = (path) => given.get(path) ?? readFile(path)
  host.getSourceFile = (path, language, ...more) => {
    const code = given.get(path)
    return code === undefined ? getSourceFile(path, language, ...more) : ts.createSourceFile(path, code, language)
  }
  const program = ts.createProgram({ rootNames: [...given.keys()], options, host })
  return [...given.keys()].map((path) => {
    const source = program.getSourceFile(path)
    if (!source) return [`${path} is not part of the program`]
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
    )
  })
}

/** Declares the document's tests here: its files run as modules, and their imports lead to the repository's own. */
async function runTests(): Promise<void> {
  const compiled = new Map(
    [...files].map(([path, code]): [string, string] => [
      path,
      ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS } })
        .outputText,
    ]),
  )
  const known = new Map<string, unknown>([['vitest', vitest]])
  const targetOf = (from: string, name: string): string =>
    name.startsWith('.') ? posix.join(posix.dirname(from), name) : name
  for (const [path, code] of compiled) {
    for (const [, name = ''] of code.matchAll(/require\("([^"]+)"\)/g)) {
      const target = targetOf(path, name)
      if (!compiled.has(target) && !known.has(target))
        known.set(target, await import(name.startsWith('.') ? inRepository(target) : name))
    }
  }
  const load = (path: string): unknown => {
    if (known.has(path)) return known.get(path)
    const exports = {}
    known.set(path, exports)
    compileFunction(compiled.get(path) ?? '', ['exports', 'require'], { filename: path })(exports, (name: string) =>
      load(targetOf(path, name)),
    )
    return exports
  }
  for (const path of paths) load(path)
}
