/**
 * Why a call to a provider failed, as the rest of “Tried zai/glm-5: …”. @param failure an HTTP status or an error's
 * code
 */
export function callFailure(failure: string): string {
  const words = said[failure]
  if (words === undefined) return /^\d{3}$/.test(failure) ? failure : 'it failed'
  return /^\d{3}$/.test(failure) ? `${failure}, ${words}` : words
}

const said: Readonly<Record<string, string>> = {
  '400': 'it takes the request for wrong',
  '401': 'the key was refused',
  '402': 'nothing is left to pay with',
  '403': 'not allowed with this key',
  '404': 'no such model or address',
  '408': 'it waited too long for the request',
  '413': 'the request is too large',
  '429': 'asked too fast, or a limit is reached',
  '500': 'an error of its own',
  '502': 'a server behind it failed',
  '503': 'not available right now',
  '504': 'a server behind it was too slow',
  '529': 'overloaded',
  'upstream-unreachable': 'it can’t be reached',
  'upstream-timeout': 'no answer in time',
  'upstream-silent': 'it fell silent',
  'upstream-broke-off': 'it broke off',
  'upstream-aborted': 'the call was broken off',
  'upstream-restarted': 'its answer began again in the middle',
  'upstream-redirected': 'it leads to another address',
  'upstream-protocol': 'its answer can’t be read',
  'upstream-unreadable': 'its answer can’t be read',
  'upstream-bad-event': 'its answer can’t be read',
  'upstream-half-call': 'it ended in the middle of a tool call',
  'upstream-bad-call': 'it called a tool in a way that can’t be read',
  'upstream-failed': 'it failed in its answer',
  'upstream-refused': 'it refused',
  'via-away': 'the machine that has its key can’t be reached',
  'via-lost': 'the line to the machine that has its key broke',
  'via-missing': 'the machine it is reached through has none of this name',
  'via-no-key': 'the machine it is reached through has no key of it',
  'via-not-lent': 'the machine it is reached through does not lend it',
  'via-other-type': 'it is of another type on the machine it is reached through',
}
