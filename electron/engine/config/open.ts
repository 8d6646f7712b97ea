import { join } from 'node:path'
import { faultOf, type ConfigFault } from '../../../shared/config/config-faults.ts'
import { configSchema, type Config } from '../../../shared/config/schema.ts'
import { applyPolicies } from '../../../shared/policy/apply.ts'
import type { PoliciesView } from '../../../shared/policy/policy.ts'
import type { Clock } from '../base/clock.ts'
import { emitter, type Emitter } from '../base/disposable.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { parsedOnce } from '../base/parse.ts'
import { serial } from '../base/work.ts'
import { checkConfig } from './check.ts'
import { createConfigEditor, revisionOf } from './edit.ts'
import { followFile } from './follow-file.ts'
import { excessOf, newExcess } from './policy/excess.ts'
import { openPolicies, type Policies } from './policy/open-policies.ts'
import type { PolicySource } from './policy/source.ts'
import { createLastGood, type LastGood, lastGoodFileName } from './last-good.ts'
import { sentenceOfFault } from './problem-of.ts'
import type { ConfigFiles, ConfigHandle, ConfigProblem, ConfigTrouble, KeyValue, Meanwhile } from './types.ts'

export interface OpenConfigOptions {
  /** Onward home, absolute */
  home: string
  files: ConfigFiles
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  log: Log
  /** secrets the desktop keeps; without it a `secretRef` has no value */
  secret?: (ref: string) => Promise<string | null>
  /** called with each text that an edit from here replaced, once no undo brings it back */
  forgotten?: (text: string) => void
  /** rules that the config can't widen; left out: none */
  policies?: readonly PolicySource[]
}

export const configFileName = 'config.json'
export const defaultConfig = (): Config => configSchema.parse({}, parsedOnce)

interface Opened {
  options: OpenConfigOptions
  path: string
  lastGood: LastGood
  changed: Emitter<void>
  policies: Policies
  /** as the text says */
  written: Config
  /** as far as the policies allow it */
  config: Config
  /** why nothing may run; null: the policies are known */
  lawless: string | null
  keys: ReadonlyMap<string, KeyValue>
  trouble: ConfigTrouble | null
  /** its sentence */
  problem: string | null
  instead: Meanwhile
  /** the text of what runs instead of the file */
  good: string | null | undefined
  /** of the file when it was read last */
  stamp: string | null | undefined
  running: string | null | undefined
  seen: string | null | undefined
  /** the trouble that listeners know of */
  announced: string
  over: boolean
}

/**
 * Opens `<home>/config.json` and follows it. Without a file the defaults run. With one that is wrong from the start the
 * last good one does, of which a copy is kept; without that none: calls are refused, since the defaults ask for no key.
 */
export async function openConfig(options: OpenConfigOptions): Promise<ConfigHandle> {
  const { home, files, env, clock, log } = options
  const path = join(home, configFileName)
  const changed = emitter<void>((error) => log.error({ error: messageOf(error) }, 'A listener of the config failed.'))
  const policies = await openPolicies(options.policies ?? [], log)
  const written = defaultConfig()
  const state: Opened = {
    options,
    path,
    lastGood: createLastGood(home, files, log),
    changed,
    policies,
    written,
    config: applyPolicies(written, policies.current()),
    lawless: lawless(policies),
    keys: new Map(),
    trouble: null,
    problem: null,
    instead: 'nothing',
    good: undefined,
    stamp: undefined,
    running: undefined,
    seen: undefined,
    announced: '',
    over: false,
  }
  const inTurn = serial()
  const reload = (anew: boolean): Promise<void> => inTurn(() => load(state, anew))
  const change = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (state.over)
        throw new OnwardError('engine-ended', 'This engine is ending; the config was not changed.', { status: 503 })
      return work()
    })
  const editor = createConfigEditor({
    path,
    files,
    check: (text) => checkConfig(text, env),
    held: (before, next, set) => newExcess(before, next, policies.current(), set),
    seen: () => state.seen,
    good: () => (state.trouble?.canPutBack ? state.good : undefined),
    load: () => load(state, true),
    now: () => clock.now(),
    forgotten: (text) => options.forgotten?.(text),
  })
  const followed = followFile({
    home,
    name: configFileName,
    files,
    clock,
    log,
    differs: async () => (await files.stamp(path)) !== state.stamp,
    onChange: () => void reload(false),
  })

  policies.onChange(() => {
    if (state.over) return
    run(state, state.written)
    changed.emit()
  })
  followed.watch()
  await reload(false)
  followed.poll()

  return {
    path,
    current: () => state.config,
    problem: () => state.problem,
    trouble: () => state.trouble,
    revision: () => revisionOf(state.seen ?? null),
    refusal: () => state.lawless ?? (state.problem !== null && state.instead === 'nothing' ? state.problem : null),
    policies: () => viewOf(state),
    onChange: (listener) => changed.on(listener),
    check(text) {
      const { problems } = checkConfig(text, env)
      return { ok: problems.length === 0, problems }
    },
    key: (providerId, alias) =>
      state.keys.get(keyName(providerId, alias)) ?? { ok: false, why: `there is no key “${alias}”` },
    stored: (ref) => state.keys.get(storedName(ref)) ?? { ok: false, why: `there is no stored secret “${ref}”` },
    reload: () => reload(true),
    edit: (edits) => change(() => editor.edit(edits)),
    undo: () => change(editor.undo),
    read: () => inTurn(editor.read),
    save: (text, revision) => change(() => editor.save(text, revision)),
    putBack: () => change(editor.putBack),
    savedAt: editor.savedAt,
    canUndo: editor.canUndo,
    naming() {
      if (state.problem !== null || typeof state.running !== 'string') return null
      // A secret in a comment counts as well: a person may put the comment back. Other spellings are found as read.
      const says = (text: string) => (quoted: string) =>
        text.includes(quoted) || JSON.stringify(checkConfig(text, env).config).includes(quoted)
      const now = says(state.running)
      const before = editor.undoTexts().map(says)
      return (secret) => {
        const quoted = JSON.stringify(secret)
        return now(quoted) ? 'config' : before.some((one) => one(quoted)) ? 'undo' : 'nothing'
      }
    },
    dispose() {
      state.over = true
      followed.dispose()
      policies.dispose()
    },
  }
}

function run(state: Opened, written: Config): void {
  state.written = written
  state.config = applyPolicies(written, state.policies.current())
  state.lawless = lawless(state.policies)
}

/** The sentence on a policy that is wrong from the start: without it nobody knows what may run. */
function lawless(policies: Policies): string | null {
  const trouble = policies.trouble()
  return trouble?.meanwhile === 'nothing' ? trouble.said : null
}

/** What a viewer sees of the policies; made once for each config that runs. */
const views = new WeakMap<Config, PoliciesView>()

function viewOf({ config, written, policies }: Opened): PoliciesView | null {
  const trouble = policies.trouble()
  const held = policies.current()
  if (held.length === 0 && trouble === null) return null
  const known = views.get(config)
  if (known?.trouble === trouble) return known
  const bounded = excessOf(written, held).map(({ path, fault }) => ({ path: path.map(String).join('.'), fault }))
  const view = { policies: held, bounded, trouble }
  views.set(config, view)
  return view
}

/** @returns true if it is not known yet */
function say(state: Opened, next: ConfigTrouble | null): boolean {
  const sentence = next && sentenceOf(next)
  if (sentence !== null && sentence !== state.problem) state.options.log.warn({ path: state.path }, sentence)
  state.trouble = next
  state.problem = sentence
  const now = JSON.stringify([next, revisionOf(state.seen ?? null)])
  const isNew = now !== state.announced
  state.announced = now
  return isNew
}

const keysOf = ({ env, secret }: OpenConfigOptions, of: Config) =>
  lookUpKeys(of, { env, secret: secret ?? (async () => null) })

/** The file is wrong: reports it, and at the start looks for a config that may run instead. */
async function stayWith(
  state: Opened,
  unread: ConfigFault | null,
  problems: readonly ConfigProblem[] = [],
): Promise<void> {
  const { options, lastGood } = state
  const last = state.running === undefined && state.instead === 'nothing' ? await lastGood.read(options.env) : null
  if (last !== null) {
    run(state, last.config)
    state.keys = await keysOf(options, last.config)
    state.instead = 'copy'
    state.good = last.text
  }
  if (!state.over && say(state, troubleOf(unread, problems, state.instead))) state.changed.emit()
}

async function load(state: Opened, anew: boolean): Promise<void> {
  const { options, path } = state
  const { files, env, log } = options
  try {
    state.stamp = await files.stamp(path)
    const bytes = await files.read(path)
    const text = bytes === null ? null : bytes.toString('utf8')
    state.seen = text
    if (state.over || (!anew && text === state.running && state.problem === null)) return
    // A drive that is not there must not open what its config closes.
    if (text === null && (await files.leadsNowhere(path)))
      return await stayWith(state, faultOf('link-to-nothing', { file: path }))
    const { config, problems } = text === null ? { config: defaultConfig(), problems: [] } : checkConfig(text, env)
    if (!config) return await stayWith(state, null, problems)
    const keys = await keysOf(options, config)
    if (state.over) return
    say(state, null)
    run(state, config)
    state.keys = keys
    state.running = text
    state.instead = 'before'
    state.good = text
    log.info(
      { path, providers: Object.keys(config.providers).length },
      text === null ? 'No config file: running with the defaults.' : 'Config loaded.',
    )
    state.changed.emit()
    await state.lastGood.keep(text)
  } catch (error) {
    await stayWith(state, faultOf('unreadable', { file: path, why: messageOf(error) }))
  }
}

type Key = Config['providers'][string]['keys'][number]

export interface KeySources {
  env: Readonly<Record<string, string | undefined>>
  /** reads a secret that the desktop keeps; null when there is none of that name */
  secret(ref: string): Promise<string | null>
}

/**
 * Looks up every key of a config once, so that routing never waits. A missing one is no error here: another key or
 * provider may do.
 */
async function lookUpKeys(config: Config, sources: KeySources): Promise<ReadonlyMap<string, KeyValue>> {
  const found = new Map<string, KeyValue>()
  for (const [id, provider] of Object.entries(config.providers)) {
    for (const key of provider.keys) found.set(keyName(id, key.alias), await lookUp(key, sources))
  }
  for (const header of Object.values(config.telemetry.headers))
    if (typeof header !== 'string')
      found.set(storedName(header.secretRef), await lookUp({ alias: header.secretRef, ...header }, sources, ofHeaders))
  return found
}

const keyName = (providerId: string, alias: string): string => `${providerId}\0${alias}`
/** No provider has an empty name. */
const storedName = (ref: string): string => keyName('', ref)

/** No key has a space; a header may have one after its scheme. */
const ofKeys = /^[\x21-\x7e]+$/
const ofHeaders = /^[\x20-\x7e]+$/

async function lookUp(key: Key, { env, secret }: KeySources, signs = ofKeys): Promise<KeyValue> {
  if ('value' in key) return usable(key.value, 'its value')
  if ('env' in key) {
    const value = env[key.env]
    return value === undefined || value === ''
      ? { ok: false, why: `the environment variable ${key.env} is not set` }
      : usable(value, `the environment variable ${key.env}`)
  }
  try {
    const value = await secret(key.secretRef)
    return value === null || value === ''
      ? { ok: false, why: `there is no stored secret “${key.secretRef}”` }
      : usable(value, `the secret “${key.secretRef}”`, signs)
  } catch (error) {
    return {
      ok: false,
      why:
        OnwardError.isInstance(error) && error.code === 'keychain-unreachable'
          ? `its secret “${key.secretRef}” is in the keychain, and ${String(error.details.why)}`
          : `the secret “${key.secretRef}” can't be read: ${messageOf(error)}`,
    }
  }
}

/** A key goes into a header: white space around it is a slip of copying, control characters would break the request. */
function usable(text: string, where: string, signs = ofKeys): KeyValue {
  const value = text.trim()
  return value !== '' && signs.test(value)
    ? { ok: true, value }
    : { ok: false, why: `${where} is empty or holds characters that no key has` }
}

/** More than a person mends without looking again; the status goes to every viewer. */
const MOST_PROBLEMS = 20

/** @param unread why the file can't be read at all; null: `problems` say what is wrong in it */
function troubleOf(
  unread: ConfigFault | null,
  problems: readonly ConfigProblem[],
  meanwhile: Meanwhile,
): ConfigTrouble {
  const inOrder = problems.toSorted((a, b) => a.line - b.line || a.column - b.column)
  return {
    problems: inOrder.slice(0, MOST_PROBLEMS),
    total: problems.length,
    what: unread && sentenceOfFault(unread),
    fault: unread,
    meanwhile,
    // A file that can't be read can't be kept beside either.
    canPutBack: unread === null && meanwhile !== 'nothing',
  }
}

/** One sentence and what runs, for log, timeline and tray. */
function sentenceOf({ problems, total, what, meanwhile }: ConfigTrouble): string {
  return `${what ?? first(problems, total)} ${outcome[meanwhile]}`
}

const outcome: Readonly<Record<Meanwhile, string>> = {
  before: 'The config that ran before goes on.',
  copy: `The last one that was right runs, from ${lastGoodFileName}.`,
  nothing: 'Onward refuses all calls until it is mended.',
}

function first([problem]: readonly ConfigProblem[], total: number): string {
  if (!problem) return 'The config is not valid.'
  const where =
    `config.json, line ${problem.line}, column ${problem.column}` + `${problem.path === '' ? '' : ` (${problem.path})`}`
  return `${where}: ${problem.message}${total > 1 ? ` And ${total - 1} more.` : ''}`
}
