import { NativeSelect } from '@mantine/core'
import type { ReactNode, Ref, SelectHTMLAttributes } from 'react'
import { Icon } from '../icons/icon.tsx'

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'size'> & {
  label: string
  ref?: Ref<HTMLSelectElement>
  children: ReactNode
}

/** A choice of many: the system's own list, so that it works as people know it. */
export function SelectField({ children, ...rest }: SelectProps) {
  return (
    <NativeSelect
      unstyled
      classNames={{ root: 'field', wrapper: 'input select' }}
      rightSection={<Icon name="down" />}
      {...rest}
    >
      {children}
    </NativeSelect>
  )
}
