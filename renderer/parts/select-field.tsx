import { NativeSelect } from '@mantine/core'
import type { ReactNode, Ref, SelectHTMLAttributes } from 'react'
import { Icon } from '../icons/icon.tsx'
import { boxOf, labelled } from './field.tsx'

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'size'> & {
  label: string
  hideLabel?: boolean
  boxClass?: string
  ref?: Ref<HTMLSelectElement>
  children: ReactNode
}

/** A choice of many: the system's own list, so that it works as people know it. */
export function SelectField({ label, hideLabel, boxClass, children, ...rest }: SelectProps) {
  return (
    <NativeSelect
      unstyled
      classNames={{ root: hideLabel ? 'bare-field' : 'field', wrapper: boxOf('input select', boxClass) }}
      rightSection={<Icon name="down" />}
      {...rest}
      {...labelled(label, hideLabel)}
    >
      {children}
    </NativeSelect>
  )
}
