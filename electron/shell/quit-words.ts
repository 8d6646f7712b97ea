import type { Language } from '../../shared/words.ts'

/** What the desktop itself says: hiding and quitting. Everything else comes from shared/sentences. */
export interface QuitWords {
  hiddenTitle: string
  hiddenBody: string
  needEngine(agents: number): string
  keepRunning(names: string): string
  quit: string
  stay: string
}

const en: QuitWords = {
  hiddenTitle: 'Onward stays in the tray',
  hiddenBody: 'Agents keep going. Quit from the tray menu.',
  needEngine: (agents) => (agents === 1 ? '1 agent needs the engine to reach its model' : `${agents} agents need the engine to reach their models`),
  keepRunning: (names) => `${names}: still running, but the next request fails until Onward runs again.`,
  quit: 'Quit',
  stay: 'Stay',
}

const zh: QuitWords = {
  hiddenTitle: 'Onward 还在托盘里',
  hiddenBody: '代理照常运行。要退出，请用托盘菜单。',
  needEngine: (agents) => `${agents} 个代理要靠引擎连接模型`,
  keepRunning: (names) => `${names}：继续运行，但在 Onward 再次启动之前，下一次请求会失败。`,
  quit: '退出',
  stay: '留下',
}

export const quitWords = (language: Language): QuitWords => (language === 'zh-CN' ? zh : en)
