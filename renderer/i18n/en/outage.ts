/** A person's choices while a session's turns fail, which hold until something answers again. */
export const outage = {
  /** between what is waited for, where any of it will do */
  or: ' or ',
  label: 'Until it answers again',
  use: (target: string) => `Use ${target} until it answers`,
  useHint: (target: string, failed: string) =>
    `This session’s turns go to ${target} until ${failed} answers ` +
    'again. The config stays as it is, and one click ends it.',
  useOther: 'Use another model until it answers',
  tell: 'Tell me when it is back',
  tellHint:
    'One notification. Until then it is asked now and then with a tiny call; where it takes the ' +
    'agent’s own login, the agent’s next turn asks it. A restart of Onward does not forget it.',
  waits: (failed: string) => `You are told when ${failed} answers again`,
  uses: (target: string, failed: string, tell: boolean) =>
    `${target} takes the turns until ${failed} answers again${tell ? '; you are told then' : ''}`,
  end: 'End',
  endHint: 'Turns go where the routes say again',
  endOf: (session: string) => `End it for ${session}`,
  endTell: 'Do not tell me',
  endTellHint: 'It is not waited for any more',
}
