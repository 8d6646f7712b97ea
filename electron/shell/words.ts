import type { Language } from '../../shared/words.ts'

/** What only the desktop says: hiding, quitting, its own troubles. Everything else comes from shared/sentences. */
export interface DesktopWords {
  hiddenTitle: string
  hiddenBody: string
  needEngine(agents: number): string
  keepRunning(names: string): string
  quit: string
  stay: string
  /** a menu entry or a notification's button that could not be carried out */
  notDone(action: string): string
  pageFailed: string
  notOpened: string
  notStarted: string
}

const en: DesktopWords = {
  hiddenTitle: 'Onward stays in the tray',
  hiddenBody: 'Agents keep going. Quit from the tray menu.',
  needEngine: (agents) =>
    agents === 1
      ? '1 agent needs the engine to reach its model'
      : `${agents} agents need the engine to reach their models`,
  keepRunning: (names) => `${names}: still running after you quit, but without a model until Onward runs again.`,
  quit: 'Quit',
  stay: 'Stay',
  notDone: (action) => `Not done: ${action}`,
  pageFailed: 'The dashboard could not be shown',
  notOpened: 'It could not be opened',
  notStarted: 'Onward could not start',
}

const zhCN: DesktopWords = {
  hiddenTitle: 'Onward 还在托盘里',
  hiddenBody: '代理照常运行。要退出，用托盘菜单。',
  needEngine: (agents) => `${agents} 个代理要靠引擎连接模型`,
  keepRunning: (names) => `${names}：退出后继续运行，但在 Onward 再次启动之前连不上模型。`,
  quit: '退出',
  stay: '留下',
  notDone: (action) => `没有完成：${action}`,
  pageFailed: '面板打不开',
  notOpened: '没能打开',
  notStarted: 'Onward 没能启动',
}

const byLanguage: Record<Language, DesktopWords> = { en, 'zh-CN': zhCN }
export const desktopWords = (language: Language): DesktopWords => byLanguage[language]
