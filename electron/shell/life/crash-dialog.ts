import { clipboard, dialog, shell } from 'electron'
import { dirname } from 'node:path'
import type { KeptCrash } from '../../crash/record-crash.ts'
import type { DesktopWords } from '../words.ts'

export interface CrashDialog {
  message: string
  detail: string
  crash: KeptCrash
  /** what ends it: “Quit” or “Close” */
  end: string
}

/** Says what happened; stays while the person copies the report or looks at the folder it is in. */
export async function showCrash(words: DesktopWords, { message, detail, crash, end }: CrashDialog): Promise<void> {
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      // The clipboard's content is lost with this program, so it goes on until the person has it.
      buttons: [end, words.copyReport, words.openFolder],
      defaultId: 1,
      cancelId: 0,
      noLink: true,
      message,
      detail,
    })
    if (response === 1) clipboard.writeText(crash.report)
    else if (response === 2 && crash.path !== null) await shell.openPath(dirname(crash.path))
    else return
  }
}
