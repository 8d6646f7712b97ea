import { dialog } from 'electron'
import { messageOf } from '../engine/base/errors.ts'
import type { Log } from '../engine/base/log.ts'
import { sentencesOf } from '../../shared/sentences/index.ts'
import type { Language } from '../../shared/words.ts'
import type { RestartAnswer } from './updates/updates.ts'
import { desktopWords } from './words.ts'

export interface Dialogs {
  /** shows the error and logs it; waits for no answer */
  trouble(title: string, error: unknown): void
  /** says that something was done */
  say(what: { message: string; detail: string }): void
  /** names the agents that would be without a model; true: quit all the same */
  mayQuit(agents: readonly string[]): Promise<boolean>
  /** names the agents at work */
  mayRestart(agents: readonly string[]): Promise<RestartAnswer>
  /** true: the app's own engine takes the place of the older one */
  mayTakeOver(older: { version: string; service: boolean }, own: string): Promise<boolean>
}

/** In the order of the buttons. */
const restartAnswers: readonly RestartAnswer[] = ['later', 'when-idle', 'now']

export function createDialogs(language: () => Language, log: Log): Dialogs {
  return {
    trouble(title, error) {
      log.error({ error: messageOf(error) }, title)
      dialog
        .showMessageBox({ type: 'error', message: title, detail: messageOf(error), buttons: ['OK'] })
        .catch((failure: unknown) => log.error({ error: messageOf(failure) }, 'a dialog could not be shown'))
    },
    say(what) {
      dialog
        .showMessageBox({ type: 'info', ...what, buttons: ['OK'] })
        .catch((failure: unknown) => log.error({ error: messageOf(failure) }, 'a dialog could not be shown'))
    },
    async mayQuit(agents) {
      const words = desktopWords(language())
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        buttons: [words.stay, words.quit],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
        message: words.needEngine(agents.length),
        detail: words.keepRunning(sentencesOf(language()).figures.list(agents)),
      })
      return response === 1
    },
    async mayRestart(agents) {
      const words = desktopWords(language())
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        buttons: [words.later, words.restartWhenIdle, words.restartNow],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
        message: words.restartWhile(agents.length),
        detail: words.restartDetail(sentencesOf(language()).figures.list(agents)),
      })
      return restartAnswers[response] ?? 'later'
    },
    async mayTakeOver({ version, service }, own) {
      const words = desktopWords(language())
      const { response } = await dialog.showMessageBox({
        type: 'question',
        buttons: [words.later, words.takeOverButton],
        defaultId: 1,
        cancelId: 0,
        noLink: true,
        message: words.takeOverTitle(own),
        detail: words.takeOverDetail(version, service),
      })
      return response === 1
    },
  }
}
