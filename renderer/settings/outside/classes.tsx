import { useWords } from '../../app-context.ts'
import { noticeClasses } from '../../../shared/events.ts'
import { withClass, type PlaceForm } from './place-form.ts'

/** Which notices are sent there. */
export function Classes({ form, onChange }: { form: PlaceForm; onChange: (form: PlaceForm) => void }) {
  const { w, s } = useWords()
  return (
    <div className="outside-classes" role="group" aria-label={w.outside.which}>
      {noticeClasses.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={form.classes?.includes(kind) ?? true}
            onChange={(e) => onChange(withClass(form, kind, e.currentTarget.checked))}
          />
          {s.noticeClass(kind)}
        </label>
      ))}
    </div>
  )
}
