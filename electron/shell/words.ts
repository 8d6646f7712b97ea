import type { Language } from '../../shared/words.ts'

/**
 * Sentences that only the desktop has: hiding, quitting, its own problems. Everything else comes from shared/sentences.
 */
export interface DesktopWords {
  hiddenTitle: string
  hiddenBody: string
  /** closed, and kept where there is no tray */
  keptTitle: string
  keptBody: string
  keptOnGnome: string
  needEngine(agents: number): string
  keepRunning(names: string): string
  quit: string
  stay: string
  /** a menu entry or a notification's button that could not be carried out */
  notDone(action: string): string
  pageFailed: string
  notOpened: string
  notStarted: string
  installCommand: string
  removeCommand: string
  commandInstalled: string
  commandRemoved: string
  commandAt(path: string, onPath: boolean): string
  uninstall: UninstallWords
  /** agents in the middle of a turn */
  restartWhile(agents: number): string
  restartDetail(names: string): string
  restartNow: string
  restartWhenIdle: string
  later: string
  /** entries of the tray's menu */
  checking: string
  getUpdate(version: string): string
  gettingUpdate(version: string): string
  restartTo(version: string): string
  takeOver(version: string): string
  takeOverTitle(version: string): string
  takeOverButton: string
  takeOverDetail(engine: string, service: boolean): string
  notTakenOver: string
  /** why, as a sentence */
  stays: string
  crashed: string
  crashedAgain: string
  crashedDetail: string
  crashedAgainDetail: string
  copyReport: string
  openFolder: string
  close: string
}

export interface UninstallWords {
  /** the entry of the menu */
  entry: string
  title: string
  intro: string
  nothing: string
  agent(client: string, files: string): string
  service(file: string): string
  login(where: string): string
  command(path: string): string
  agentLeft(client: string, files: string, backups: string): string
  serviceLeft(file: string): string
  loginLeft: string
  homeStays(home: string): string
  /** in the system's keychain */
  keysStay(names: string): string
  undo: string
  cancel: string
  done: string
  notAll: string
  programGoes(how: string): string
  trash(app: string): string
  windowsApps(uninstaller: string): string
  quit: string
  stay: string
}

const en: DesktopWords = {
  hiddenTitle: 'Onward stays in the tray',
  hiddenBody: 'Agents keep going. Quit from the tray menu.',
  keptTitle: 'Onward stays in the task bar',
  keptBody: 'This desktop shows no tray. Agents keep going. Quit with Ctrl+Q.',
  keptOnGnome:
    'GNOME shows no tray without the extension “AppIndicator and ' +
    'KStatusNotifierItem Support”. Agents keep going. Quit with Ctrl+Q.',
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
  installCommand: 'Install the command',
  removeCommand: 'Remove the command',
  commandInstalled: 'The command is installed',
  commandRemoved: 'The command is removed',
  commandAt: (path, onPath) =>
    onPath
      ? `A new terminal finds it: onward --help\n${path}`
      : `${path}\nYour shell does not look there yet. Put this folder on your ` +
        'PATH, in ~/.profile or ~/.zprofile:\nexport PATH="$HOME/.local/bin:$PATH"',
  uninstall: {
    entry: 'Uninstall…',
    title: 'Undo what Onward set up on this machine',
    intro: 'Agents then work without Onward. This goes:',
    nothing: 'Nothing: no agent was set up for good, and there is no service, start at login or command.',
    agent: (client, files) => `The settings of ${client}, back as they were before: ${files}`,
    service: (file) => `The service: ${file}`,
    login: (where) => `The start at login: ${where}`,
    command: (path) => `The command: ${path}`,
    agentLeft: (client, files, backups) =>
      `Not the settings of ${client}: ${files} changed where Onward wrote. The old text is in ${backups}`,
    serviceLeft: (file) =>
      `Not the service: ${file} was changed by hand. onward service uninstall --force takes it away`,
    loginLeft: 'The start at login, if it is on, goes with the app',
    homeStays: (home) => `Sessions, records and keys stay in ${home}. onward uninstall --data removes them, too.`,
    keysStay: (names) => `In the system’s keychain stay, until then: ${names}.`,
    undo: 'Undo all',
    cancel: 'Cancel',
    done: 'Undone',
    notAll: 'Not all could be undone',
    programGoes: (how) => `The program itself: ${how}`,
    trash: (path) => `move ${path} to the Trash`,
    windowsApps: (uninstaller) => `Settings, Apps, Installed apps, Onward; or ${uninstaller}`,
    quit: 'Quit Onward',
    stay: 'Stay',
  },
  restartWhile: (agents) => (agents === 1 ? '1 agent is at work' : `${agents} agents are at work`),
  restartDetail: (names) =>
    `${names}: their terminals and the agents in them go on. Answers under way are ` +
    'finished first; what takes too long breaks off, and agents ask again once Onward is back.',
  restartNow: 'Restart now',
  restartWhenIdle: 'When they are idle',
  later: 'Later',
  checking: 'Checking for updates…',
  getUpdate: (version) => `Download Onward ${version}`,
  gettingUpdate: (version) => `Downloading Onward ${version}…`,
  restartTo: (version) => `Restart to update to ${version}`,
  takeOver: (version) => `Take over from the engine of Onward ${version}…`,
  takeOverButton: 'Take over',
  takeOverTitle: (version) => `Run the engine of Onward ${version} here?`,
  takeOverDetail: (engine, service) =>
    `The engine that runs is Onward ${engine}. It ends, and ` +
    'agents go on with the newer one at the same address.' +
    (service
      ? ' Until `onward service install` the system starts the older one at each login, and ' +
        'that one does not open files of a newer one.'
      : ''),
  notTakenOver: 'The engine was not taken over',
  stays: 'It does not end when it is asked to.',
  crashed: 'Onward ended unexpectedly and was started again',
  crashedAgain: 'Onward ended unexpectedly, twice within a minute',
  crashedDetail:
    'Agents and their terminals went on. The report says what happened; it holds no keys and no texts of agents.',
  crashedAgainDetail:
    'It is not started again by itself. Agents and their terminals go on, without a ' +
    'model. The report says what happened; it holds no keys and no texts of agents.',
  copyReport: 'Copy report',
  openFolder: 'Open folder',
  close: 'Close',
}

const zhCN: DesktopWords = {
  hiddenTitle: 'Onward 还在托盘里',
  hiddenBody: '代理照常运行。要退出，用托盘菜单。',
  keptTitle: 'Onward 留在任务栏里',
  keptBody: '这个桌面没有托盘。代理照常运行。要退出，按 Ctrl+Q。',
  keptOnGnome:
    'GNOME 要装扩展“AppIndicator and KStatusNotifierItem Support”才有托盘。代理照常运行。要退出，按 Ctrl+Q。',
  needEngine: (agents) => `${agents} 个代理要靠引擎连接模型`,
  keepRunning: (names) => `${names}：退出后继续运行，但在 Onward 再次启动之前连不上模型。`,
  quit: '退出',
  stay: '留下',
  notDone: (action) => `没有完成：${action}`,
  pageFailed: '面板打不开',
  notOpened: '没能打开',
  notStarted: 'Onward 没能启动',
  installCommand: '安装命令',
  removeCommand: '移除命令',
  commandInstalled: '命令已安装',
  commandRemoved: '命令已移除',
  commandAt: (path, onPath) =>
    onPath
      ? `新开的终端里就能用：onward --help\n${path}`
      : `${path}\nshell 还不会到这个文件夹里找。把它加进 PATH，写在 ~/.profile 或 ~/.zprofile 里：\nexport PATH="$HOME/.local/bin:$PATH"`,
  uninstall: {
    entry: '卸载…',
    title: '撤销 Onward 在这台电脑上的设置',
    intro: '之后代理不靠 Onward 也能用。要撤销的有：',
    nothing: '没有要撤销的：没有长期接入的代理，也没有服务、登录启动和命令。',
    agent: (client, files) => `${client} 的设置，恢复原样：${files}`,
    service: (file) => `服务：${file}`,
    login: (where) => `登录时启动：${where}`,
    command: (path) => `命令：${path}`,
    agentLeft: (client, files, backups) =>
      `${client} 的设置不动：${files} 里 Onward 写过的地方后来改过。原文在 ${backups}`,
    serviceLeft: (file) => `服务不动：${file} 手工改过。要移除，用 onward service uninstall --force`,
    loginLeft: '登录时启动如果开着，会随应用一起移除',
    homeStays: (home) => `会话、记录和密钥留在 ${home}。要一并删除，用 onward uninstall --data。`,
    keysStay: (names) => `在那之前留在系统钥匙串里的有：${names}。`,
    undo: '全部撤销',
    cancel: '取消',
    done: '已撤销',
    notAll: '没能全部撤销',
    programGoes: (how) => `程序本身这样移除：${how}`,
    trash: (path) => `把 ${path} 移到废纸篓`,
    windowsApps: (uninstaller) => `设置 > 应用 > 已安装的应用 > Onward，或者运行 ${uninstaller}`,
    quit: '退出 Onward',
    stay: '留下',
  },
  restartWhile: (agents) => `${agents} 个代理正在工作`,
  restartDetail: (names) =>
    `${names}：终端和里面的代理照常运行。正在进行的回答先完成；太久的会中断，Onward 回来后代理会重新请求。`,
  restartNow: '现在重启',
  restartWhenIdle: '等它们空闲时',
  later: '以后再说',
  checking: '正在检查更新…',
  getUpdate: (version) => `下载 Onward ${version}`,
  gettingUpdate: (version) => `正在下载 Onward ${version}…`,
  restartTo: (version) => `重启并更新到 ${version}`,
  takeOver: (version) => `接管 Onward ${version} 的引擎…`,
  takeOverButton: '接管',
  takeOverTitle: (version) => `改由 Onward ${version} 运行引擎？`,
  takeOverDetail: (engine, service) =>
    `现在运行的是 Onward ${engine} 的引擎。它会结束，代理在同一地址上接着用新的引擎。` +
    `${service ? '在运行 `onward service install` 之前，系统每次登录仍会启动旧版本，而旧版本不会打开新版本的文件。' : ''}`,
  notTakenOver: '没有接管引擎',
  stays: '它没有按要求结束。',
  crashed: 'Onward 意外退出，已重新启动',
  crashedAgain: 'Onward 在一分钟内两次意外退出',
  crashedDetail: '代理和终端没有受影响。报告说明发生了什么，不含密钥，也不含代理的文字。',
  crashedAgainDetail:
    '不会再自动启动。代理和终端照常运行，但连不上模型。报告说明发生了什么，不含密钥，也不含代理的文字。',
  copyReport: '复制报告',
  openFolder: '打开文件夹',
  close: '关闭',
}

const byLanguage: Record<Language, DesktopWords> = { en, 'zh-CN': zhCN }
export const desktopWords = (language: Language): DesktopWords => byLanguage[language]
