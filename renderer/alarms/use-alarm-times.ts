import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useApp, useOfAll, useWords } from '../app-context.ts'
import { alarmTimesOf, type AlarmTimes } from './alarm-times.ts'

/** IANA name of the zone in which alarms are shown: their engine's; in a list of all machines this one's. */
export function useAlarmZone(): string | undefined {
  const app = useApp()
  const all = useOfAll()
  return useStore((all ? app.here : app).engine, (s) => s.alarms?.zone ?? s.status?.zone)
}

export function useAlarmTimes(): AlarmTimes {
  const words = useWords()
  const zone = useAlarmZone()
  return useMemo(() => alarmTimesOf(words, zone), [words, zone])
}

/** The same where a time is written: as the alarm's own engine reads it. */
export function useTypedTimes(): AlarmTimes {
  const words = useWords()
  const zone = useStore(useApp().engine, (s) => s.alarms?.zone ?? s.status?.zone)
  return useMemo(() => alarmTimesOf(words, zone), [words, zone])
}
