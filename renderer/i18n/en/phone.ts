import type { DeviceRight } from '../../../shared/devices.ts'

const rights: Readonly<Record<DeviceRight, string>> = {
  look: 'look',
  answer: 'answer',
  say: 'say',
  arm: 'arm',
}

export const phone = {
  title: 'Phones',
  hint: 'A paired phone has a key of its own. It looks and answers from afar, and more if you say so.',
  add: 'Pair a phone',
  none: 'None is paired.',
  rights,
  rightHints: {
    look: 'see sessions, texts and terminals',
    answer: 'answer an agent’s questions',
    say: 'send messages, change the queue',
    arm: 'set goals and alarms, pause and resume',
  } satisfies Record<DeviceRight, string> as Readonly<Record<DeviceRight, string>>,
  way: 'It comes by',
  opens: 'Opens a port at this address, over https, for paired phones alone. `onward phone close` closes it.',
  sshHint: 'Opens nothing: the phone needs an SSH app that forwards the engine’s port.',
  tailscaleHint:
    'Opens a port there, with a certificate that Tailscale gets and browsers trust. This machine’s name then ' +
    'stands in public certificate logs.',
  overSsh: 'On the phone, before it opens the link:',
  warns:
    'Its browser warns once: the certificate is this home’s own. Go on only if its SHA-256 fingerprint is this one.',
  mayDo: 'It may',
  make: 'Show the code',
  code: 'Pairing code',
  scan: (until: string) => `Scan it with the phone’s camera. It pairs one phone, once, until ${until}.`,
  done: 'Done',
  here: 'connected',
  seen: (when: string) => `last seen ${when}`,
  edit: (name: string) => `Edit ${name}`,
  save: 'Save',
  revoke: (name: string) => `Revoke ${name}`,
  revoked: (name: string) => `${name} is revoked. Its connections have ended.`,
  thisDevice: 'This device',
  notHere: 'A paired device can’t do this. Do it at the computer.',
  ownRights: (rights: string) => `It may ${rights}. Settings of the engine are changed at the computer.`,
  pairThis: 'Pair this device?',
  pairThisText: (origin: string) => `It gets a key of its own for Onward at ${origin}, kept in this browser.`,
  name: 'Name',
  pair: 'Pair',
  push: 'Push notifications to this device',
  pushed: 'push',
  pushHint:
    'Also while it is locked. The push service of its browser’s vendor carries them and can’t read them. They say ' +
    'which agent of which machine it is about; texts only if the config says so.',
  cannotPush: {
    untrusted:
      'Installing and push need a certificate that browsers trust: `onward phone pair --at tailscale`, or one of ' +
      'yours (`phone.cert`). Until then ntfy carries the question.',
    install:
      'Here push works from the home screen only: Share, “Add to Home Screen”, then open Onward there and pair it.',
    blocked: 'This browser blocks notifications of the page. Allow them in its settings.',
    none: 'This browser has no push. ntfy carries the question.',
  },
  noPush: (why: string) => `This browser could not switch push on: ${why}`,
  paste: 'Link from “onward phone pair”',
  noLink: 'That is no link that pairs.',
  codeOver: 'This code has been used or is too old. Make a new one at the computer.',
}
