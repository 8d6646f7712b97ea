import { useVirtualizer, type Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'

type Options = Pick<
  VirtualizerOptions<HTMLDivElement, HTMLElement>,
  'count' | 'getScrollElement' | 'estimateSize' | 'getItemKey' | 'overscan' | 'scrollMargin' | 'rangeExtractor'
>

/**
 * TanStack's virtualizer. Its values change under one identity, so they must not be memoised; nothing here is compiled
 * that way.
 */
export function useVirtual(options: Options): Virtualizer<HTMLDivElement, HTMLElement> {
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler is not used
  return useVirtualizer<HTMLDivElement, HTMLElement>(options)
}
