export const drives = {
  title: (n: number, unsure: number) =>
    `${
      n === 0
        ? 'Nothing besides Onward keeps this agent going, as far as is seen'
        : `${n} ${n === 1 ? 'thing besides Onward keeps' : 'things besides Onward keep'} this agent going`
    }${unsure > 0 ? `, ${unsure} may` : ''}`,
  stopAll: 'Stop all but Onward',
  stop: 'Stop',
  asksTitle: 'May it go on by itself?',
  asks: (used: string) =>
    `What the agent set itself has used ${used}. A goal, a loop or a schedule of its own goes on until you stop it.`,
  letGoOn: 'Let it go on',
  takeOver: 'Keep going',
  takeOverHint: 'Make it a goal of Onward’s, with these words',
  what: 'What',
  since: 'Since',
  sinceUnknown: 'It was there before Onward saw it',
  next: 'Next',
  spent: 'So far',
  bound: 'Bound',
  unbound: 'None',
  setOne: 'Set one',
  boundOf: 'A bound of its own',
  boundFor: (name: string) => `Bound: ${name}`,
  boundUsed: (percent: string) => `${percent} used`,
  boundSet: 'Ask me then',
  boundNone: 'No bound',
  close: 'Cancel',
  boundless: (n: number) =>
    `${n} of them ${n === 1 ? 'has' : 'have'} no bound of ${n === 1 ? 'its' : 'their'} own. The budgets hold for all.`,
  between: (from: string, to: string) => `${from} to ${to}`,
  left: (span: string) => `in ${span}`,
  seenBy: (source: string, version: string | null) =>
    `${source === 'message' ? 'seen in a message' : source === 'request' ? 'seen by its own requests' : source}${
      version === null ? '' : `, ${version}`
    }`,
}
