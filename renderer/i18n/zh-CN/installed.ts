import { zh } from '../../../shared/sentences/zh/spaced.ts'
import type { Dictionary } from '../en.ts'

export const installed: Dictionary['installed'] = {
  title: '这台电脑',
  atLogin: '登录时启动，只在托盘',
  loginBy: {
    'system-settings': 'macOS 在等你允许：系统设置 > 通用 > 登录项。',
    'task-manager': '在任务管理器的“启动应用”里被关掉了。在这里打开会重新允许。',
  },
  trayMissing: {
    none: '这个桌面没有托盘：关上的窗口留在任务栏，登录时会打开窗口。',
    'none-on-gnome':
      'GNOME 要装扩展“AppIndicator and KStatusNotifierItem Support”才有托盘：没装时，关上的窗口留在任务栏，登录时会打开窗口。',
  },
  loginOther: (command) => zh`登录时启动的是另一个 Onward：${command}。在这里打开，就换成这一个。`,
  loginForeign: (path) => zh`${path} 不是 Onward 的文件，所以不动它。先把它移开才行。`,
  loginOtherHome: (home) => zh`登录时只启动默认的主文件夹，不启动 ${home}。`,
  command: '命令 `onward`',
  commandAbsent: '在自己的终端里启动代理、查看引擎：`onward claude`、`onward status`。',
  commandAt: (path) => zh`装在 ${path}。`,
  commandOffPath: 'shell 还不会到那里找。在 `~/.profile` 或 `~/.zprofile` 里加上这一行：',
  commandWithPackage: '系统的软件包已经带上了。',
  commandForeign: (path) => zh`${path} 不是 Onward 的文件，所以不动它。先把它移开才行。`,
  commandNot: {
    'not-installed': '这里的 Onward 是从源码运行的。在源码文件夹里用 `npm link` 装命令。',
    'not-moved': '先把 Onward 移到“应用程序”文件夹，再从那里启动。',
  },
  install: '安装命令',
  remove: '移除命令',
  service: '登录时启动',
  serviceRuns: '系统把这个引擎当作服务运行，每次登录都会启动。',
  serviceNot: '这个引擎还不是系统的服务。用下面的命令装成服务，每次登录都会启动：',
  uninstall: '卸载',
  uninstallHint: '代理恢复自己的设置，服务、登录启动和命令一并移除。会先列给你看。',
  uninstallBy: '代理恢复自己的设置，服务、登录启动和命令一并移除。会先列出来再问你：',
  uninstallNow: '卸载…',
}
