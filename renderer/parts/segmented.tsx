import { SegmentedControl } from '@mantine/core'

/** A choice of two to four, all visible. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: readonly { value: T; text: string }[]
  onChange: (value: T) => void
}) {
  return (
    <SegmentedControl<T>
      unstyled
      classNames={{ root: 'seg', control: 'seg-one', indicator: 'seg-moving' }}
      aria-label={label}
      value={value}
      data={options.map((option) => ({ value: option.value, label: option.text }))}
      onChange={onChange}
    />
  )
}
