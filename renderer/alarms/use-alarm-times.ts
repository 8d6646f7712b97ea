import { useMemo } from 'react'
import { useEngine, useWords } from '../app-context.ts'
import { alarmTimesOf, type AlarmTimes } from './alarm-times.ts'

export function useAlarmTimes(): AlarmTimes {
  const words = useWords()
  const zone = useEngine((s) => s.alarms?.zone ?? s.status?.zone)
  return useMemo(() => alarmTimesOf(words, zone), [words, zone])
}
