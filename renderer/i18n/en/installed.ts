export const installed = {
  title: 'This machine',
  atLogin: 'Start at login, in the tray',
  loginBy: {
    'system-settings': 'macOS waits for your word: System Settings, General, Login Items.',
    'task-manager': 'Switched off in the Task Manager, under Startup apps. Switching it on here allows it again.',
  },
  trayMissing: {
    none: 'This desktop shows no tray: closing leaves the window in the task bar, and login opens it.',
    'none-on-gnome':
      'GNOME shows no tray without the extension “AppIndicator and KStatusNotifierItem ' +
      'Support”: closing leaves the window in the task bar, and login opens it.',
  },
  loginOther: (command: string) =>
    `Login starts another Onward: ${command}. Switched on here, this one takes its place.`,
  loginForeign: (path: string) => `${path} is not Onward’s, so it is left as it is. Move it away first.`,
  loginOtherHome: (home: string) => `Only the usual home is started at login, not ${home}.`,
  command: 'The command `onward`',
  commandAbsent: 'Starts agents in your own terminal and asks the engine: `onward claude`, `onward status`.',
  commandAt: (path: string) => `It is at ${path}.`,
  commandOffPath: 'Your shell does not look there yet. This line in `~/.profile` or `~/.zprofile` changes that:',
  commandWithPackage: 'It came with the package of your system.',
  commandForeign: (path: string) => `${path} is not Onward’s, so it is left as it is. Move it away first.`,
  commandNot: {
    'not-installed': 'Onward runs from its sources here. `npm link` there makes the command.',
    'not-moved': 'Move Onward to the Applications folder first, and start it from there.',
  },
  install: 'Install the command',
  remove: 'Remove the command',
  service: 'Start at login',
  serviceRuns: 'The system runs this engine as a service, and starts it at each login.',
  serviceNot: 'This engine is no service of the system. This makes it one, which starts at each login:',
  uninstall: 'Uninstall',
  uninstallHint: 'Agents get their own settings back; service, start at login and command go. You see it first.',
  uninstallBy:
    'Agents get their own settings back; service, start at login and command go. It shows that first and asks:',
  uninstallNow: 'Uninstall…',
}
