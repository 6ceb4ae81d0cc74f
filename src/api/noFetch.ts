/** Stands in for axios' fetch adapter, which the page never uses: XMLHttpRequest reports the progress of uploads. */
export const getFetch = () => undefined
