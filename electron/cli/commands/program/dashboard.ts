import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'

export function addDashboard(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'dashboard',
    hereOnly: true,
    summary: 'a link to the dashboard',
    description:
      'Prints a new link to the dashboard of the running engine. A link opens ' +
      'one window, once, and its window stays signed in while this engine runs.',
    options: [['--sign-out', 'sign out all windows instead, and end links that were not used yet']],
    examples: [
      ['onward dashboard', 'open what it prints in a browser'],
      ['onward dashboard --sign-out', 'every window needs a new link'],
    ],
    async ask(calls, [{ signOut }]: [{ signOut?: boolean }]) {
      if (!signOut) return calls.dashboardLink.mutate()
      await calls.signOutWindows.mutate()
      return null
    },
    json: (url) => (url === null ? { signedOut: true } : { url }),
    say: (url, { style }) =>
      url === null
        ? 'All dashboard windows are signed out. A new link: `onward dashboard`.\n'
        : `${url}\n${cli.tty.out ? `${style.quiet('Good for one window, once.')}\n` : ''}`,
  })
}
