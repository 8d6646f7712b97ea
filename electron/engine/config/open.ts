import { faultOf, type ConfigFault } from '../../../shared/config/config-faults.ts'
import { join } from 'node:path'
import { configSchema, type Config } from '../../../shared/config/schema.ts'
import type { Clock } from '../base/clock.ts'
import { disposables, type Disposable } from '../base/disposable.ts'
import { emitter } from '../base/emitter.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import { parsedOnce } from '../base/parsed-once.ts'
import type { Log } from '../base/log.ts'
import { checkConfig } from './check.ts'
import { createConfigEditor } from './edit.ts'
import { keyName, lookUpKeys } from './keys.ts'
import { createLastGood } from './last-good.ts'
import { revisionOf } from './revision.ts'
import { sentenceOf, troubleOf } from './trouble.ts'
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
}

/** Editors write in several steps: looked at once it has been quiet for this long. */
const QUIET_MS = 120
/** Watching says nothing on network drives and in some containers: the file's stamp is looked at all the same. */
const POLL_MS = 3000

export const configFileName = 'config.json'
export const defaultConfig = (): Config => configSchema.parse({}, parsedOnce)

/**
 * Opens `<home>/config.json` and follows it. Without a file the defaults run. With one that is wrong from the start the
 * last good one does, of which a copy is kept; without that none: calls are refused, since the defaults ask for no key.
 */
export async function openConfig(options: OpenConfigOptions): Promise<ConfigHandle> {
  const { home, files, env, clock, log } = options
  const path = join(home, configFileName)
  const changed = emitter<void>((error) => log.error({ error: messageOf(error) }, 'A listener of the config failed.'))
  const held = disposables()
  let config = defaultConfig()
  let keys: ReadonlyMap<string, KeyValue> = new Map()
  let trouble: ConfigTrouble | null = null
  let problem: string | null = null
  let instead: Meanwhile = 'nothing'
  /** the text of what runs instead of the file */
  let good: string | null | undefined
  const lastGood = createLastGood(home, files, log)
  let stamp: string | null | undefined
  let running: string | null | undefined
  let seen: string | null | undefined
  let queue: Promise<void> = Promise.resolve()
  let quiet: Disposable | null = null
  let watching: Disposable | null = null
  let over = false

  let announced = ''
  const say = (next: ConfigTrouble | null): boolean => {
    const sentence = next && sentenceOf(next)
    if (sentence !== null && sentence !== problem) log.warn({ path }, sentence)
    trouble = next
    problem = sentence
    const now = JSON.stringify([next, revisionOf(seen ?? null)])
    const isNew = now !== announced
    announced = now
    return isNew
  }

  const keysOf = (of: Config) => lookUpKeys(of, { env, secret: options.secret ?? (async () => null) })

  /** The file is wrong: reports it, and at the start looks for a config that may run instead. */
  async function stayWith(unread: ConfigFault | null, problems: readonly ConfigProblem[] = []): Promise<void> {
    const last = running === undefined && instead === 'nothing' ? await lastGood.read(env) : null
    if (last !== null) {
      config = last.config
      keys = await keysOf(last.config)
      instead = 'copy'
      good = last.text
    }
    if (!over && say(troubleOf(unread, problems, instead))) changed.emit()
  }

  async function load(anew: boolean): Promise<void> {
    try {
      stamp = await files.stamp(path)
      const bytes = await files.read(path)
      const text = bytes === null ? null : bytes.toString('utf8')
      seen = text
      if (over || (!anew && text === running && problem === null)) return
      // A drive that is not there must not open what its config closes.
      if (text === null && (await files.leadsNowhere(path)))
        return await stayWith(faultOf('link-to-nothing', { file: path }))
      const { config: next, problems } =
        text === null ? { config: defaultConfig(), problems: [] } : checkConfig(text, env)
      if (!next) return await stayWith(null, problems)
      const nextKeys = await keysOf(next)
      if (over) return
      say(null)
      config = next
      keys = nextKeys
      running = text
      instead = 'before'
      good = text
      log.info(
        { path, providers: Object.keys(next.providers).length },
        text === null ? 'No config file: running with the defaults.' : 'Config loaded.',
      )
      changed.emit()
      await lastGood.keep(text)
    } catch (error) {
      await stayWith(faultOf('unreadable', { file: path, why: messageOf(error) }))
    }
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work)
    queue = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }
  const reload = (anew = false): Promise<void> => inTurn(() => load(anew))
  const editor = createConfigEditor({
    path,
    files,
    check: (text) => checkConfig(text, env),
    seen: () => seen,
    good: () => (trouble?.canPutBack ? good : undefined),
    load: () => load(true),
    now: () => clock.now(),
    forgotten: (text) => options.forgotten?.(text),
  })
  const change = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (over)
        throw new OnwardError('engine-ended', 'This engine is ending; the config was not changed.', { status: 503 })
      return work()
    })
  const soon = () => {
    quiet?.dispose()
    quiet = clock.after(QUIET_MS, () => {
      quiet = null
      void reload()
    })
  }
  const watchFolder = () => {
    if (watching || over) return
    try {
      watching = files.watch(
        home,
        (name) => {
          if (name === null || name === configFileName) soon()
        },
        (error) => {
          log.debug(
            { error: messageOf(error) },
            'Watching the config folder ended; its file is looked at from time to time.',
          )
          watching?.dispose()
          watching = null
        },
      )
    } catch (error) {
      log.debug(
        { error: messageOf(error) },
        'The config folder can not be watched yet; its file is looked at from time to time.',
      )
    }
  }
  const pollFile = async () => {
    watchFolder()
    try {
      // An edit in two steps may be at its first: it is waited for as when a watcher reports it.
      if (!quiet && (await files.stamp(path)) !== stamp) soon()
    } catch (error) {
      log.debug({ error: messageOf(error) }, 'The config file can not be looked at.')
    }
  }
  let next: Disposable | null = null
  const pollLater = () => {
    next = clock.after(POLL_MS, () => {
      void pollFile().finally(() => {
        if (!over) pollLater()
      })
    })
  }

  watchFolder()
  await reload()
  pollLater()
  held.add({
    dispose: () => {
      next?.dispose()
      quiet?.dispose()
      watching?.dispose()
      watching = null
    },
  })

  return {
    path,
    current: () => config,
    problem: () => problem,
    trouble: () => trouble,
    revision: () => revisionOf(seen ?? null),
    refusal: () => (problem !== null && instead === 'nothing' ? problem : null),
    onChange: (listener) => changed.on(listener),
    check(text) {
      const { problems } = checkConfig(text, env)
      return { ok: problems.length === 0, problems }
    },
    key: (providerId, alias) =>
      keys.get(keyName(providerId, alias)) ?? { ok: false, why: `there is no key “${alias}”` },
    reload: () => reload(true),
    edit: (edits) => change(() => editor.edit(edits)),
    undo: () => change(editor.undo),
    read: () => inTurn(editor.read),
    save: (text, revision) => change(() => editor.save(text, revision)),
    putBack: () => change(editor.putBack),
    savedAt: editor.savedAt,
    canUndo: editor.canUndo,
    naming() {
      if (problem !== null || typeof running !== 'string') return null
      // A secret in a comment counts as well: a person may put the comment back. Other spellings are found as read.
      const says = (text: string) => (quoted: string) =>
        text.includes(quoted) || JSON.stringify(checkConfig(text, env).config).includes(quoted)
      const now = says(running)
      const before = editor.undoTexts().map(says)
      return (secret) => {
        const quoted = JSON.stringify(secret)
        return now(quoted) ? 'config' : before.some((one) => one(quoted)) ? 'undo' : 'nothing'
      }
    },
    dispose() {
      over = true
      held.dispose()
    },
  }
}
