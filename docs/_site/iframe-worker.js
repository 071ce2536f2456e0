/* Search of pages opened from the disk: browsers start no worker there, so the worker's script runs in a hidden frame. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true })
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => this.load(each)), Promise.resolve())
      this.loaded = this.load(url)
    }
    load(url) {
      const script = this.frame.contentDocument.createElement("script")
      return new Promise((resolve, reject) => {
        Object.assign(script, { src: url, onload: resolve, onerror: reject })
        this.frame.contentDocument.body.append(script)
      })
    }
    postMessage(data) {
      const inside = this.frame.contentWindow
      this.loaded.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
