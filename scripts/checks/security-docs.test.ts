/** docs/security.md: each attack and fault that it names is shown by tests that there are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documentAt, root, sectionOf, tableOf } from '../../electron/cli/testing/documents.ts'

/** what comes, as the page says it -> file -> titles of the tests that show it */
const shownBy: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'An engine ends during answers (signal, hand-over, update)': {
    'e2e/quiet-end.spec.ts': [
      'by %s cuts no answer',
      'by a hand-over cuts no answer, and the one that takes over starts when they are out',
      'has one that is started meanwhile wait for it',
      'says on its page and to `onward status` how many it finishes',
    ],
    'electron/shell/life/quitting.test.ts': ['waits for them'],
    'e2e/service.spec.ts': ['finishes its answers and lets agents live on when it is restarted'],
    'e2e/given-socket.spec.ts': ['has those who come between two engines wait for the second, and cuts nobody off'],
    'e2e/desktop/updates.spec.ts': [
      'finishes its answer before it restarts, says so in the tray, and the agent lives on',
    ],
    'e2e/support/real/suite.ts': ['a restart of the engine in the middle of an answer'],
  },
  'An answer takes longer than that; a second signal': {
    'e2e/quiet-end.spec.ts': [
      'leaves what takes too long with an error that has its client ask again',
      'waits for nothing after a second signal',
    ],
    'e2e/support/real/suite.ts': ['an engine that ends before an answer does'],
    'e2e/goal-crash.spec.ts': ['sends nothing when the engine %s, and is begun anew by the next one'],
  },
  '`kill -9` at any moment': {
    'e2e/kill-engine.spec.ts': ['kill -9 of the engine at any moment'],
    'e2e/faults-engines.spec.ts': [
      'after kill -9 is taken over: the note of the dead process, its lock and its session folder',
    ],
  },
  'The terminal’s window is closed': {
    'e2e/faults-terminal.spec.ts': [
      'ends %s as a signal does: cleanly, with everything on disk',
      'ends a command that follows the log with its own exit code',
      'ends the agent’s command as the agent ends, and leaves the engine that it started alone',
    ],
  },
  'The engine of an open page was replaced': {
    'e2e/dashboard-access.spec.ts': [
      'is greyed while its engine is away, and finds back to the next one at the same address',
      'finds no way back once all windows were signed out',
    ],
    'electron/engine/control/page-access.test.ts': ['counts for nothing at %s'],
  },
  'A second engine is started': {
    'e2e/faults-engines.spec.ts': [
      'on the same home is refused, and says who has it; the first lives on',
      'is not started by `onward start`, which gives a link to the one that runs',
    ],
  },
  'WebSockets without a proof': {
    'electron/engine/control/server.test.ts': [
      'is cut behind 4 KB on the $at: $what',
      'is cut at the deadline, whether it says goodbye or not',
      'makes room for others: 64 are at it at once, and one with a key still comes in',
    ],
    'electron/engine/terminals/host/host.test.ts': ['what has proved nothing is cut behind 4 KB'],
    'electron/engine/gateway/start-gateway.test.ts': [
      'for the control API by a program of user %s, with server.keys %j',
    ],
    'e2e/faults-http.spec.ts': ['has no memory for whoever has proved nothing'],
    'e2e/other-user.spec.ts': ['by another user comes to no exchange of proofs either'],
  },
  'A lost phone': {
    'e2e/phone.spec.ts': ['is put out while it is connected, and stays out over a reload'],
    'electron/engine/control/devices/devices-server.test.ts': [
      'is cut off at once when it is revoked while it follows, and does not come back',
    ],
    'electron/engine/control/devices.test.ts': [
      'may do nothing from that moment on, is told to its connections, and never becomes a person',
      'is not brought back by a write that was under way',
      'is out also where the disk does not take it, and that is said',
    ],
  },
  'A stale or copied pairing link': {
    'e2e/phone.spec.ts': ['is paired by a code, once, and finds back over a reload and a restart of the engine'],
    'electron/engine/control/devices.test.ts': [
      'counts once: what comes with it again is a stranger’s',
      'is over after five minutes, also for a device that is in the middle of it',
      'is never a person’s: before, while and after it is used it opens pairDevice alone',
    ],
  },
  'A neighbour in the network': {
    'e2e/phone.spec.ts': ['comes over TLS to the port that its person opened, and to no other'],
    'electron/engine/gateway/phone-listener.test.ts': [
      'is closed until a person names an address, and when none is named any more',
      'serves the page over TLS with the certificate that it tells of, and nothing for agents',
      'answers no plain HTTP',
      'refuses a page of another origin and a name that leads here',
    ],
    'electron/engine/control/devices/devices-server.test.ts': [
      'is not served over plain HTTP that others can read',
      'is no one without its own key: what the engine keeps of it, or saw of it, lets nobody in',
    ],
    'electron/engine/control/devices.test.ts': ['counts for its own exchange alone: a replay of it is refused'],
  },
  'A device subscribes with an address inside your network': {
    'electron/engine/web/post-public.test.ts': ['is refused: %s'],
    'electron/engine/notifications/push/push.test.ts': [
      'is tried again where the service has trouble, and not where the address is no public one',
    ],
    'e2e/phone.spec.ts': [
      'has push only where its person switches it on, at a public address, and until it is revoked',
    ],
  },
  'A page or script in the phone’s browser': {
    'e2e/phone.spec.ts': ['holds a key that no script in its browser can read'],
    'electron/engine/gateway/start-gateway.test.ts': ['from elsewhere is refused: %j'],
  },
  'A device asks for more than it may': {
    'e2e/phone.spec.ts': ['is offered what its rights allow, and what is not there it is told'],
    'electron/engine/control/devices/devices-server.test.ts': [
      'comes to no operation that is not named for devices, whatever it sends with it',
    ],
    'electron/engine/control/devices.test.ts': ['are decided for every operation that there is'],
  },
  'An answer with thousands of calls': {
    'electron/engine/servertools/tool-rounds/tool-rounds.test.ts': [
      'are run up to 64 in one answer; the others are told so',
    ],
    'electron/engine/protocol/chat/call-finder.test.ts': ['are kept apart without looking through those before them'],
  },
  'A session with thousands of alarms': {
    'electron/engine/clock/commands/alarm-commands.test.ts': [
      'for more than 200 alarms of a session is refused, however they come',
    ],
    'electron/engine/clock/large-file.test.ts': [
      'a large file of alarms is not written whole for one of them, and nothing of it is lost',
    ],
  },
  'An answer that keeps the event loop busy': {
    'e2e/fair-share.spec.ts': [
      'stream of fifty thousand words from $provider to $client',
      'stream of thousands of calls from $provider to $client',
    ],
    'electron/engine/providers/delivery.test.ts': [
      'gives others their turn between pieces of what came at once, however it ends',
    ],
  },
  'A refusal whose body never ends': {
    'electron/engine/pipeline/failover.test.ts': [
      'is answered by the next candidate when an error’s body never ends and %s',
      'is told an error whose body never ends after 5 s, when nobody else is there',
    ],
    'electron/engine/engine-providers.test.ts': [
      'does not keep a turn from the next provider',
      'is the answer to a question for models, and to a trial',
    ],
  },
  'A stored key that nothing names any more': {
    'electron/engine/engine-keychain.test.ts': [
      'stays while the removal can be taken back, and is gone with the next start',
      'is gone with the edit that no undo goes back behind, and with an undo of what stored it',
      'stays where %s',
    ],
    'electron/engine/secrets/kept-secrets.test.ts': ['goes, by name, and what something names or nobody knows stays'],
  },
  'Ten thousand foreign sockets': {
    'electron/engine/sessions/binding/peer.test.ts': ['makes no text of ten thousand foreign sockets'],
  },
  'A reviewer asks for secrets': {
    'electron/engine/workspace/secret-files.test.ts': ['refuses %j', 'shows %j'],
    'electron/engine/workspace/secret-content.test.ts': [
      'are known: %j',
      'are left out: %s',
      'are left out where %s stands before them',
    ],
  },
  'A provider’s error repeats a key, escaped': {
    'electron/engine/secrets/redact.test.ts': ['takes a secret out %s'],
  },
  'The socket table can’t be read': {
    'electron/engine/gateway/access/authenticate.test.ts': [
      'is unread where the system could not be asked, which is asked again',
      'a caller that is %s, by its %s: %s',
    ],
  },
  'The machine was suspended or busy': {
    'electron/engine/base/clock.test.ts': ['after %d ms without a turn the sockets go before the timers that are late'],
  },
  'The disk is full, read-only or loses a folder': {
    'e2e/faults-disk.spec.ts': [
      'refuses what it can’t keep, and says why',
      'types no followup that could be typed again after a crash: it waits, with the reason',
      'is told of by status and doctor, which work there',
    ],
  },
  'A state file is damaged; `format.json` is cut off': {
    'e2e/faults-state.spec.ts': ['are set aside with every byte, and started anew'],
    'e2e/faults-disk.spec.ts': [
      'a format.json that was cut off is told of by doctor, and by a start that is not tried again',
    ],
    'electron/engine/store/home-format.test.ts': [
      'is known from %j, which was cut off behind it, and written whole again',
    ],
  },
  'A provider called `__proto__`': {
    'electron/engine/engine-providers.test.ts': ['there is none called %s'],
  },
  'A page of this machine by its public address': {
    'electron/engine/web/refused.test.ts': ['http://%s/', 'to %s, at once'],
  },
  'An answer that a browser could take for a page': {
    'electron/engine/gateway/http-call.test.ts': ['sends its head before there is a body'],
  },
  'A body that names a member twice, at any depth': {
    'electron/engine/protocol/json-bytes/outline.test.ts': [
      'refuses a key that stands there twice: %s',
      'refuses exactly what names one twice, wherever it stands',
    ],
    'electron/engine/protocol/lens/lens.test.ts': ['refuses equal members of the body, and of whatever is in it'],
  },
  'An upgrade (h2c) after an open answer': {
    'electron/engine/gateway/start-gateway.test.ts': [
      'to %s behind an open answer waits until that is whole, however slowly it is read',
    ],
  },
  'Broken HTTP': {
    'e2e/faults-http.spec.ts': [
      'a broken chunk over $entry is told, and its connection ends',
      'a client that leaves in the middle of its body reaches no provider',
    ],
  },
  'A port that is taken; a socket for another address; a missing file, command or home': {
    'e2e/faults-engines.spec.ts': ['is named, and nothing is left behind'],
    'e2e/given-socket.spec.ts': ['is refused when it is not where the engine is to listen'],
    'electron/cli/errors-and-help.test.ts': [
      '2 for %j, and a guess at what was meant',
      '%j is as good as %j',
      'says what the system refuses in words, with the path',
    ],
  },
  'A page without its link; an engine left running; `npm ci`': {
    'e2e/dashboard-access.spec.ts': ['comes by what `onward dashboard` prints, once, and stays over a reload'],
    'electron/cli/launch/launch.test.ts': ['is told of by the setup too, with how it is stopped'],
    'scripts/checks/dependencies.test.ts': ['warns of nothing that a newcomer has to leave aside, in %s'],
  },
}

describe('the attacks and faults of docs/security.md', () => {
  const rows = tableOf(sectionOf(documentAt('docs/security.md'), 'Attacks and faults'), 'what comes')
  const shown = Object.values(shownBy).flatMap((files) => Object.entries(files))

  it('are those that tests show, each with an answer', () => {
    expect(rows.map(([what]) => what)).toEqual(Object.keys(shownBy))
    expect(rows.filter(([, answer = '']) => answer.length < 5)).toEqual([])
  })
  it.each(shown)('are shown by %s: %j', (file, titles) => {
    const text = readFileSync(join(root, file), 'utf8')
    const titled = (title: string) => ["'", '"'].some((quote) => text.includes(`${quote}${title}${quote}`))
    expect(titles.length).toBeGreaterThan(0)
    expect(titles.filter((title) => !titled(title))).toEqual([])
  })
  it('have every file of faults among them', () => {
    const files = readdirSync(join(root, 'e2e')).filter((name) => name.startsWith('faults-'))
    const told = shown.map(([file]) => file)
    expect(files.filter((name) => !told.includes(`e2e/${name}`))).toEqual([])
  })
})
