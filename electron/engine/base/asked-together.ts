/**
 * Makes one run of `answer` out of all questions that come in while the last run goes on. Each is answered by a run
 * that begins after it was asked; a run that fails fails for those whom it was to answer.
 */
export function askedTogether<Question, Answer>(
  answer: (asked: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve()
  let next: { asked: Question[]; answers: Promise<readonly Answer[]> } | null = null
  return async (question) => {
    if (!next) {
      const asked: Question[] = []
      const answers = last.then(() => {
        next = null
        return answer(asked)
      })
      next = { asked, answers }
      last = answers.catch(() => {})
    }
    const place = next.asked.push(question) - 1
    return (await next.answers)[place] as Answer
  }
}
