"""Program -> other people's languages: one file each, which registers itself."""
