import { useWords } from '../../app-context.ts'
import type { FieldId } from './draft.ts'
import type { ProviderForm } from './use-provider-form.ts'

/** The text below a field. */
export function useProblemText(form: Pick<ProviderForm, 'problemOf'>): (field: FieldId) => string | null {
  const { w } = useWords()
  return (field) => {
    const problem = form.problemOf(field)
    return problem === null ? null : typeof problem === 'object' ? problem.said : w.providerForm.problems[problem]
  }
}
