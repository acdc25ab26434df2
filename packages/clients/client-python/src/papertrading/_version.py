"""The version of this package: that of the service it was released with."""

VERSION = "0.1.0"
