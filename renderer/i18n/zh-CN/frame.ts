import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const views: Dictionary['views'] = {
  sessions: '会话',
  alarms: '闹钟',
  activity: '动态',
  providers: '提供方与路由',
  settings: '设置',
}

export const rail: Dictionary['rail'] = { label: '视图', sessionsNeed: (n) => zh`会话，${n} 个等你处理` }

export const status: Dictionary['status'] = {
  label: '状态',
  running: '运行中',
  engineOn: '引擎在',
  finishingHint: (time: string) => `回答完成后引擎即结束，最迟 ${time}。`,
  offline: '引擎已停',
  lost: '连接断开',
  lastSeen: (time: string) => `最后更新于 ${time}`,
  working: (n) => zh`${n} 个运行中`,
  needYou: (n) => zh`${n} 个等你处理`,
  today: (tokens, cost) => (cost ? zh`今天 ${tokens} token，${cost}` : zh`今天 ${tokens} token`),
  simulator: '模拟器：回答是预先写好的',
  simulatorHint: '还没有配置提供方。写进配置文件即可，会马上重新读取。',
  allPaused: '全部自动操作已暂停',
  zone: (zone) => zh`${zone} 时间`,
  zoneHint: (own) => zh`这里都用引擎所在时区的时间。你的浏览器在 ${own}。`,
  fails: (provider) => zh`${provider} 失败`,
  moreLimits: (n) => zh`另有 ${n} 家`,
  limitHint: '查看提供方',
}

export const banner: Dictionary['banner'] = {
  stopped: (time) => zh`引擎 ${time} 停了。`,
  stoppedText: '代理暂时连不上模型，也不会输入任何内容。',
  never: '这个地址上没有引擎应答。',
  startLine: 'onward start',
  tryNow: '再试一次',
  lost: '连接断开。',
  retryIn: (span) => zh`${span}后重试。`,
  now: '马上试',
  from: (time) => zh`你看到的是 ${time} 的情况。没有这个窗口，代理照样继续。`,
  paused: '全部自动操作已暂停。要输入的话都在等，什么也不会输入。',
}

export const gate: Dictionary['gate'] = {
  title: '打开这个页面需要链接',
  text: '连接引擎的钥匙在链接里，只留在这个窗口。打印新的链接，用它打开。',
  refusedTitle: '引擎不再接受这个链接',
  refusedText: '一个链接只能打开一个窗口，而且只在生成它的引擎运行期间有效。打印新的链接，用它打开。',
  revokedTitle: '这台设备不再是配对的',
  revokedText: '它已被撤销。在电脑上生成新的配对码，再扫描。',
  strangerTitle: '引擎的地址上是别的程序在应答',
  strangerText:
    '它没能证明自己就是这个窗口所属的引擎，什么也没有告诉它。不要刷新本页；先查清那里是什么在监听，再启动引擎，打印新的链接。',
  insecureTitle: '浏览器在这个地址上无法证明自己',
  insecureText: '在 127.0.0.1 上可以，例如通过 SSH 隧道；用 https 也可以。链接要在那里打开。',
  line: 'onward dashboard',
  inClone: { text: '或者，在克隆下来的仓库目录里：', line: 'node bin/onward.mjs dashboard' },
}

export const palette: Dictionary['palette'] = {
  label: '命令面板',
  placeholder: '命令、会话，或说过的话',
  nothing: '没有匹配的',
  choose: '选择',
  run: '执行',
  close: '关闭',
  everywhere: '通用',
  sessions: '会话',
  said: '说过的话',
}

export const commands: Dictionary['commands'] = {
  pauseSession: '暂停这个会话',
  resumeSession: '继续这个会话',
  pauseAll: '暂停全部自动操作',
  resumeAll: '继续全部自动操作',
  armGoal: '设目标',
  editGoal: '修改目标',
  addTen: '再加十轮',
  showRounds: '看全部各轮',
  showDrives: '查看还有什么让代理继续',
  allowCheck: (name) => zh`批准检查 ${name}`,
  addCheck: '添加检查',
  clearGoal: '清除目标',
  reArm: '重新开始',
  newTerminal: '新建终端',
  nextNeedsYou: '下一个等你处理的会话',
  searchList: '在列表里搜索',
  rename: '重命名',
  archive: '归档',
  goTo: (what) => zh`前往${what}`,
  whyOfEvent: '显示或收起原因',
  shortcuts: '全部快捷键',
  showPaused: '只看已暂停的会话',
  showAll: '显示全部会话',
  themeLight: '浅色主题',
  themeDark: '深色主题',
  themeSystem: '跟随系统主题',
  palette: '命令面板',
  moveInList: '在列表里移动',
  openDetail: '打开详情',
  back: '返回，关闭',
  undo: '撤销',
  nextPane: '下一个或上一个窗格',
  findInTerminal: '在终端里查找',
  setAlarm: '给这个会话设闹钟',
  newAlarm: '新建闹钟',
  snoozeNext: '下一个闹钟推后十分钟',
  showMissed: '看错过的闹钟',
  editInList: '在列表里修改或取消闹钟',
  copyBaseUrl: '复制接口地址',
}

export const shortcuts: Dictionary['shortcuts'] = {
  title: '快捷键',
  note: '单个字母只在输入框和终端都没有焦点时有效。',
}

export const say: Dictionary['say'] = {
  noticesTitle: '有会话在等你',
  noticesText: '你看别处时，这个浏览器可以通知你。',
  noticesYes: '通知我',
  noticesNo: '暂不',
  copy: '复制',
  copied: '已复制',
  copyFailed: '浏览器不允许复制',
  undo: '撤销',
  retry: '再试一次',
  close: '关闭',
  offline: '没有执行：和引擎断开了',
  failed: (what) => zh`没有执行：${what}`,
  cancel: '取消',
  save: '保存',
  name: '名称',
  becameNeeds: (name, say) => zh`${name} 等你处理。${say}`,
  becameFailed: (name, say) => zh`${name} 失败。${say}`,
  becameDone: (name, say) => zh`${name} 已完成。${say}`,
}

export const onDemand: Dictionary['onDemand'] = {
  notFetched: '页面的这一部分无法加载',
  notFetchedHint: '引擎没有运行，或者运行的是更新的版本。其余部分保持不变。',
  reload: '重新加载页面',
}
