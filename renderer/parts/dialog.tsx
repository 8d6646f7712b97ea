import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../app-context.ts'
import { IconButton } from './button.tsx'

export function Dialog({
  title,
  size,
  onClose,
  children,
}: {
  title: string
  size?: number
  onClose: () => void
  children: ReactNode
}) {
  const { w } = useWords()
  return (
    <Modal.Root
      opened
      size={size ?? 480}
      onClose={onClose}
      yOffset="14vh"
      transitionProps={{ duration: 80, transition: 'fade' }}
      classNames={{ content: 'dialog', header: 'dialog-head', body: 'dialog-body' }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title component="h2">{title}</Modal.Title>
          <IconButton icon="x" small name={w.say.close} onClick={onClose} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
