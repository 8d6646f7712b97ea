/** “Uninstall…”: shows what would be undone, asks, undoes it, and says how to remove the program itself. */
import type { Log } from '../../engine/base/log.ts'
import { messageOf } from '../../engine/base/errors.ts'
import type { LeftAlone, Undo, UndoPlan } from '../../installed/undo/types.ts'
import { runUndo } from '../../installed/undo/plan.ts'
import { sentencesOf } from '../../../shared/sentences/index.ts'
import type { Language } from '../../../shared/words.ts'
import { desktopWords } from '../words.ts'

export interface Question {
  message: string
  detail: string
  buttons: readonly string[]
  warning: boolean
}

export interface GoodbyeDeps {
  language(): Language
  plan(): Promise<UndoPlan>
  /** how the program goes, as a sentence or a command */
  programGoes(): string
  /** Onward's home, which stays */
  home: string
  /** names of keys that stay in the system's keychain */
  keys(): Promise<readonly string[]>
  /** shows a dialog of the system; @returns the button, the last one when it was closed */
  ask(question: Question): Promise<number>
  quit(): void
  log: Log
}

export function createGoodbye(deps: GoodbyeDeps): () => Promise<void> {
  let open = false
  const run = async () => {
    const w = desktopWords(deps.language()).uninstall
    const { undoes, leaves } = await deps.plan()
    const keys = await deps.keys()
    const list = [...undoes.map((undo) => line(undo)), ...leaves.map((left) => leftLine(left))]
    const yes = await deps.ask({
      message: w.title,
      detail: [w.intro, list.length === 0 ? w.nothing : list.join('\n'), stays(w.homeStays(deps.home), keys)].join(
        '\n\n',
      ),
      buttons: [w.undo, w.cancel],
      warning: true,
    })
    if (yes !== 0) return
    const failed = await runUndo(undoes)
    for (const { undo, why } of failed) deps.log.error({ kind: undo.kind, why }, 'could not be undone')
    const quit = await deps.ask({
      message: failed.length === 0 ? w.done : w.notAll,
      detail: [...failed.map(({ undo, why }) => `${line(undo)}\n${why}`), w.programGoes(deps.programGoes())].join(
        '\n\n',
      ),
      buttons: [w.quit, w.stay],
      warning: failed.length > 0,
    })
    if (quit === 0) deps.quit()
  }
  const stays = (home: string, keys: readonly string[]) =>
    keys.length === 0 ? home : `${home}\n${desktopWords(deps.language()).uninstall.keysStay(names(keys))}`
  const names = (paths: readonly string[]) => sentencesOf(deps.language()).figures.list([...paths])
  const line = (undo: Undo): string => {
    const w = desktopWords(deps.language()).uninstall
    switch (undo.kind) {
      case 'agent':
        return `• ${w.agent(undo.client, names(undo.files))}`
      case 'service':
        return `• ${w.service(undo.file)}`
      case 'login':
        return `• ${w.login(undo.where)}`
      case 'command':
        return `• ${w.command(undo.path)}`
    }
  }
  const leftLine = (left: LeftAlone): string => {
    const w = desktopWords(deps.language()).uninstall
    switch (left.kind) {
      case 'agent':
        return `▲ ${w.agentLeft(left.client, names(left.files), names(left.backups))}`
      case 'service':
        return `▲ ${w.serviceLeft(left.file)}`
      case 'login':
        return `○ ${w.loginLeft}`
    }
  }
  return async () => {
    if (open) return
    open = true
    try {
      await run()
    } catch (error) {
      const w = desktopWords(deps.language())
      await deps.ask({
        message: w.notDone(w.uninstall.title),
        detail: messageOf(error),
        buttons: ['OK'],
        warning: true,
      })
    } finally {
      open = false
    }
  }
}
