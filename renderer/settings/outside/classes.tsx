import { useWords } from '../../app-context.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { noticeClasses } from '../../../shared/notice-classes.ts'
import { withClass, type PlaceForm } from './place-form.ts'

/** Which notices are sent there. */
export function Classes({ form, onChange }: { form: PlaceForm; onChange: (form: PlaceForm) => void }) {
  const { w, s } = useWords()
  return (
    <div className="outside-classes" role="group" aria-label={w.outside.which}>
      {noticeClasses.map((kind) => (
        <Checkbox
          key={kind}
          checked={form.classes?.includes(kind) ?? true}
          onChange={(on) => onChange(withClass(form, kind, on))}
        >
          {s.noticeClass(kind)}
        </Checkbox>
      ))}
    </div>
  )
}
