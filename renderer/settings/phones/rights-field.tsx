import { deviceRights, type DeviceRight } from '../../../shared/devices.ts'
import { useWords } from '../../app-context.ts'
import { Checkbox } from '../../parts/checkbox.tsx'

/** What a device may do beside to look, which all may. */
export function RightsField({
  rights,
  onChange,
}: {
  rights: readonly DeviceRight[]
  onChange: (rights: readonly DeviceRight[]) => void
}) {
  const { w } = useWords()
  const t = w.phone
  return (
    <div className="device-rights" role="group" aria-label={t.mayDo}>
      <p>{t.mayDo}</p>
      {deviceRights
        .filter((right) => right !== 'look')
        .map((right) => (
          <Checkbox
            key={right}
            checked={rights.includes(right)}
            onChange={(on) => onChange(on ? [...rights, right] : rights.filter((one) => one !== right))}
          >
            {t.rightHints[right]}
          </Checkbox>
        ))}
    </div>
  )
}
