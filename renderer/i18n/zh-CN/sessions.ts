import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const groups: Dictionary['groups'] = {
  needs: '等你处理',
  failed: '失败',
  working: '运行中',
  idle: '空闲',
  done: '已完成',
  ended: '已结束',
}

export const agents: Dictionary['agents'] = {
  claude: 'claude',
  codex: 'codex',
  opencode: 'opencode',
  gemini: 'gemini',
  qwen: 'qwen',
  copilot: 'copilot',
  kimi: 'kimi',
  kilo: 'kilo',
  other: '其他',
}

export const list: Dictionary['list'] = {
  label: '会话',
  width: '列表宽度',
  widthHint: '拖动调整，双击复原',
  filterAndSort: '筛选和排序',
  palette: '命令面板',
  newTerminal: '新建终端',
  pauseAll: '暂停全部自动操作',
  resumeAll: '继续全部自动操作',
  all: '全部',
  search: '搜索会话',
  searchIn: '名称、文件夹、模型、目标或下一句',
  noMatch: (query) => zh`没有会话匹配“${query}”`,
  noMatchFilter: '没有符合筛选的会话',
  searched: '已搜索名称、文件夹、代理、模型、目标、下一句和闹钟。',
  endedHidden: (n) => zh`另有 ${n} 个已结束的会话没有显示。`,
  searchEnded: '也搜索已结束的',
  clearFilter: '显示全部会话',
  loading: '正在载入会话',
  rounds: (used, max) => (max === null ? zh`已用 ${used} 轮，不限轮数` : zh`${max} 轮已用 ${used} 轮`),
  reArm: '重新开始',
  noTurnYet: '还没有回合',
  endedTerminal: '没等到第一个回合就结束了',
  asOf: (time) => zh`截至 ${time}`,
}

export const filter: Dictionary['filter'] = {
  show: '显示',
  everything: '全部会话',
  armed: '已设目标',
  paused: '已暂停',
  ended: '包括已结束的',
  archived: '包括已归档的',
  agent: '代理',
  anyAgent: '任何代理',
  sort: '排序',
  recent: '最近活动',
  name: '名称',
  folder: '文件夹',
}

export const empty: Dictionary['empty'] = {
  title: '还没有代理连上 Onward',
  text: '在这里启动一个，或者把你常用的代理指向这个地址。',
  line: 'onward claude',
  choose: '选一个会话',
  chooseText: '它在做什么、为什么，都会显示在这里。',
  goneTitle: '这个会话已经不在了',
  goneText: '它的终端已结束，记录也清理了。',
}
