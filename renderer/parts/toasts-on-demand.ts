import type { ShowToast } from './toasts.ts'

/** A toast is put on the screen when what draws toasts is there; one that was taken away before never is. */
export const toastsOnDemand =
  (load: () => Promise<ShowToast>): ShowToast =>
  (toast, onGone) => {
    let taken = false
    let close: (() => void) | null = null
    load().then((show) => {
      if (!taken) close = show(toast, onGone)
    }, onGone)
    return () => {
      if (taken) return
      taken = true
      if (close) close()
      else onGone()
    }
  }
