export const drives = {
  title: (n: number) =>
    n === 0
      ? 'Nothing besides Onward keeps this agent going now'
      : `${n} ${n === 1 ? 'thing besides Onward keeps' : 'things besides Onward keep'} this agent going`,
  stopAll: 'Stop all but Onward',
  stop: 'Stop',
  stopped: 'The agent is told to stop it',
  what: 'What',
  since: 'Since',
  sinceUnknown: 'It was there before Onward saw it',
  next: 'Next',
  spent: 'So far',
  between: (from: string, to: string) => `${from} to ${to}`,
  left: (span: string) => `in ${span}`,
  seenBy: (source: string, version: string | null) =>
    `${source === 'message' ? 'seen in a message' : source === 'request' ? 'seen by its own requests' : source}${
      version === null ? '' : `, ${version}`
    }`,
}
