import type { ReactNode } from 'react'
import { useMay } from '../app-context.ts'
import type { OperationName } from '../../shared/operations/index.ts'

/** Shown where this page may ask for the operation. */
export const Offered = ({ to, children }: { to: OperationName; children: ReactNode }) => (useMay(to) ? children : null)
