import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { InstallKind, UpdateTrouble } from '../../../shared/updates.ts'
import type { Dictionary } from '../en.ts'

const troubles: Record<UpdateTrouble, string> = {
  offline: '连不上更新服务器。',
  server: '更新服务器返回了错误。',
  'no-version': '更新服务器上没有适合这个系统的版本。',
  feed: '更新服务器的内容无法识别。',
  insecure: '更新服务器没有加密，因此不会访问。',
  broken: '下载的文件与公布的不一致，已丢弃，什么都没有改动。',
  signature: '下载的文件没有发布者的签名，已丢弃，什么都没有改动。',
  disk: '新版本没能放到位，什么都没有改动。',
  other: '更新没有成功，什么都没有改动。',
}
const kinds: Record<InstallKind, string> = {
  appimage: '这个 AppImage 没有写明更新地址。',
  deb: '这里装的是 deb 包，由 apt 更新。',
  rpm: '这里装的是 rpm 包，由 dnf 或 zypper 更新。',
  mac: '这个 Onward 没有写明更新地址。',
  windows: '这个 Onward 没有写明更新地址。',
  npm: '这里装的是 npm 包，由 npm 更新。',
  repository: '这个 Onward 直接从代码仓库运行。',
  folder: '这个 Onward 从文件夹运行。',
}

export const updates: Dictionary['updates'] = {
  title: '更新',
  hint: '没有你的点击，不会安装任何东西。更新期间，终端和里面的代理照常运行。',
  inBrowser: '更新由桌面应用安装，或者在终端里安装。运行这一行看怎么做。',
  line: 'onward update',
  byHand: kinds,
  byHandHow: '运行这一行看怎么做。',
  check: '现在检查',
  checking: '正在检查…',
  idle: '还没有检查过。',
  current: (time) => zh`已是最新版本（${time} 检查）。`,
  available: (version) => zh`有新版本 Onward ${version}。`,
  news: (version) => zh`${version} 有什么新内容`,
  download: '下载',
  downloading: (version, percent) => zh`正在下载 Onward ${version}：${percent}%`,
  ready: (version) => zh`Onward ${version} 已准备好。`,
  atQuit: (version) => zh`退出时安装 Onward ${version}。`,
  whenIdle: (version) => zh`等代理都空闲时安装 Onward ${version}。`,
  notWhenIdle: '不等了',
  restart: '重启并更新',
  restartNow: '现在重启',
  whenQuitting: '退出时安装',
  notWhenQuitting: '退出时不安装',
  later: '以后再说',
  again: '再试一次',
  why: troubles,
  checkAlways: '每天检查一次新版本',
  downloadAlways: '同时下载',
  older: (engine, app) => zh`引擎是 Onward ${engine}，这个应用是 ${app}。`,
  olderText: '较新的引擎会在同一个地址接替它，代理照常运行。',
  takeOver: '接管',
}
